// Sends every request of the served Postman collection and of converted ones: node run-postman.cjs ADDRESS KEY
const { promisify } = require('node:util');
const newman = require('newman');
const { convert } = require('openapi-to-postmanv2');

const [address, key] = process.argv.slice(2);
const read = async (path) => (await fetch(address + path)).json();

async function send(name, collection, variables = {}) {
  const envVar = Object.entries(variables).map(([name, value]) => ({ key: name, value }));
  const { run } = await promisify(newman.run)({ collection, envVar });
  const failed = run.executions.filter(({ response }) => response?.code !== 200);
  for (const { request, response } of failed) console.error(`${request.url}: ${response?.code}`);
  console.log(`${name}: ${run.executions.length - failed.length} of ${run.executions.length} requests are 200`);
  if (failed.length > 0 || run.executions.length === 0) process.exitCode = 1;
}

async function main() {
  await send('served collection', await read('/postman.json'));
  const document = await read('/openapi-3.0.json');
  for (const disableOptionalParameters of [true, false]) {
    const options = { requestParametersResolution: 'Example', disableOptionalParameters };
    const { result, reason, output } = await promisify(convert)({ type: 'json', data: document }, options);
    if (!result) throw new Error(reason);
    await send(`converted, optional parameters ${disableOptionalParameters ? 'off' : 'on'}`, output[0].data, {
      apiKey: key,
    });
  }
}

main();
