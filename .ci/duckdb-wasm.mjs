/**
 * A page in Chromium that reads the dataset of a service at another origin with DuckDB-Wasm.
 * `node .ci/duckdb-wasm.mjs SERVICE_URL FOLDER CHROMIUM`: FOLDER has the package in its node_modules. Every file comes from this machine.
 */
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';

const [, , service, folder, executablePath] = process.argv;
const dist = join(folder, 'node_modules/@duckdb/duckdb-wasm/dist');

// The page's script: DuckDB, and what the checks below call.
const { outputFiles } = await build({
  stdin: {
    contents: `
      import { AsyncDuckDB, VoidLogger } from '@duckdb/duckdb-wasm';
      const db = new AsyncDuckDB(new VoidLogger(), new Worker('/duckdb-browser-eh.worker.js'));
      const opened = db.instantiate('/duckdb-eh.wasm').then(() => db.open({ filesystem: { allowFullHTTPReads: false } }));
      window.query = async (statement) => {
        await opened;
        const connection = await db.connect();
        const result = await connection.query(statement);
        return result.toArray().map((row) => row.toJSON());
      };
      window.read = async (address, headers) => {
        const response = await fetch(address, { headers });
        return [response.status, ...['Content-Range', 'Accept-Ranges', 'ETag'].map((name) => response.headers.get(name))];
      };`,
    resolveDir: folder,
  },
  bundle: true,
  format: 'esm',
  write: false,
});
const FILES = { '/duckdb-browser-eh.worker.js': 'text/javascript', '/duckdb-eh.wasm': 'application/wasm' };
const server = createServer(({ url }, response) => {
  if (url in FILES) {
    response.writeHead(200, { 'Content-Type': FILES[url] });
    createReadStream(join(dist, url)).pipe(response);
  } else if (url === '/page.js')
    response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(outputFiles[0].text);
  else
    response
      .writeHead(200, { 'Content-Type': 'text/html' })
      .end('<!doctype html><script type="module" src="/page.js"></script>');
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const origin = `http://127.0.0.1:${server.address().port}`;

const { manifest } = await (await fetch(`${service}/data/latest.json`)).json();
const { files } = await (await fetch(`${service}/data/${manifest}`)).json();
const largest = files.reduce((one, other) => (other.bytes > one.bytes ? other : one));

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  page.on('requestfailed', (request) =>
    console.log(`failed: ${request.url()} ${request.failure()?.errorText}`),
  );
  /** How each file of the dataset was answered. */
  const answers = new Map();
  page.on('response', (response) => {
    const path = response.url().slice(`${service}/data/`.length);
    if (!response.url().startsWith(`${service}/data/`) || response.request().method() === 'HEAD') return;
    const answer = `${response.status()} ${response.headers()['content-range'] ?? ''}`;
    answers.set(path, [...(answers.get(path) ?? []), answer]);
  });
  await page.goto(origin);
  await page.waitForFunction(() => 'query' in window);

  // A header that is not safelisted makes the browser send a preflight.
  const read = ([address, headers]) => window.read(address, headers);
  const [status, contentRange, acceptRanges, etag] = await page.evaluate(read, [
    `${service}/data/${largest.path}`,
    { Range: 'bytes=4-7', 'If-Match': '*' },
  ]);
  assert.deepEqual([status, contentRange, acceptRanges], [206, `bytes 4-7/${largest.bytes}`, 'bytes']);
  assert.match(etag, /^"/);
  answers.clear();

  for (const { path, rows } of files) {
    const address = `${service}/data/latest/${path.slice(path.indexOf('/') + 1)}`;
    const [counted] = await page.evaluate(
      (statement) => window.query(statement),
      `SELECT count(*)::INT AS rows FROM '${address}'`,
    );
    assert.deepEqual(counted, { rows }, path);
  }
  for (const [path, seen] of answers) {
    console.log(path, seen.join(', '));
    // The newest release is redirected to, every range is answered as one, and no file is read whole without one.
    const expected = path.startsWith('latest/') ? /^302 $/ : /^206 bytes \d+-\d+\/\d+$/;
    for (const answer of seen) assert.match(answer, expected, path);
  }
  assert.deepEqual(
    files.filter(({ path }) => !answers.has(path)),
    [],
  );
} finally {
  await browser.close();
  server.close();
}
console.log(`DuckDB-Wasm at ${origin} counted ${files.length} files of ${service} by ranges`);
