/** The last lines of a start: where the service is, its demo keys, and requests that work when pasted. */
import type { DemoKeys } from '../../local/keys/demo-keys.ts';
import type { LocalService } from '../../local/local-service.ts';
import { faultText, StartFault } from '../../local/start-fault.ts';

const WANTED = 3;
/** So many ports are looked at, for one that has a snapshot to show. */
const LOOKED_AT_PORTS = 100;

/** What an invitation tells of. */
export type Host = Pick<LocalService, 'url' | 'keys'>;

/** Ports of other protocols, 6000 for example, are asked neither by browsers nor by `fetch`. */
const isRefusedPort = (thrown: unknown): boolean =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'cause' in thrown &&
  faultText(thrown.cause) === 'bad port';

/** Whether the path is answered, tried with the key without limits. */
async function isAnswered({ url, keys }: Host, path: string): Promise<boolean> {
  const reply = await fetch(`${url}${path}`, { headers: { 'X-API-Key': keys.bench } }).catch((thrown) => {
    if (!isRefusedPort(thrown)) throw thrown;
    const { port } = new URL(url);
    throw new StartFault(`port ${port} is one that browsers refuse to ask: choose another with --port`);
  });
  await reply.arrayBuffer();
  return reply.status === 200;
}

/** The first few requests that are answered, those about a port with data first. */
async function working(service: Host, ports: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const port of ports.slice(0, LOOKED_AT_PORTS)) {
    const path = `/v1/ports/${port}/snapshot`;
    if (!(await isAnswered(service, path))) continue;
    found.push(path, `/v1/ports/${port}/trend?window=7d&format=csv`);
    break;
  }
  for (const path of ['/v1/hs/85/imports', '/v1/meta/sources', '/v1/ports', '/v1/health'])
    if (found.length < WANTED && (await isAnswered(service, path))) found.push(path);
  return found;
}

const WHAT_KEYS_SHOW: Readonly<Record<keyof DemoKeys, string>> = {
  demo: 'the shared demo key, on Starter',
  lite: 'on Lite: no beta endpoint',
  starter: 'on Starter',
  pro: 'on Pro',
  disabled: 'known, but disabled',
  unplanned: 'known, but on no plan',
  bench: 'for measurements: no limits',
};

/** The lines behind the banner, `ready` first. Throws `StartFault` when the port is one that browsers refuse. */
export async function invitation(service: Host, ports: readonly string[]): Promise<string[]> {
  const paths = await working(service, ports);
  const { url, keys } = service;
  return [
    `ready ${url}`,
    '',
    `In a browser: ${url}/ for the explorer and the request builder, ${url}/docs/ for the documentation.`,
    '',
    'Demo keys:',
    ...Object.entries(keys).map(
      ([name, key]) => `  ${name.padEnd(10)}${key}  ${WHAT_KEYS_SHOW[name as keyof DemoKeys]}`,
    ),
    '',
    'Try:',
    ...paths.map((path) => `  curl -s -H 'X-API-Key: ${keys.demo}' '${url}${path}'`),
    '',
  ];
}
