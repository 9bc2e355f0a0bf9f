/** Finds a port and an HS code with data on a stage, so that rows about figures can run. */
import { StartError } from '../../local/start-error.ts';

export interface FoundData {
  /** A port with trend, dwell and snapshot; undefined before there is one. */
  readonly port: string | undefined;
  /** An HS code with an index. */
  readonly code: string | undefined;
  /** The result as lines for the terminal. */
  readonly says: readonly string[];
}

const CODES = ['85', '84', '87', '27', '30'];
const TRIES = 5;
const PAUSE_MS = 3000;
const LOOKED_AT_PORTS = 30;

async function listAt(url: string, path: string, key: string): Promise<readonly Record<string, unknown>[]> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } }).catch((thrown: unknown) => {
      if (attempt >= TRIES) throw new StartError(`${url} does not respond: ${thrown}`);
      return undefined;
    });
    if (reply?.ok) return (await reply.json()) as readonly Record<string, unknown>[];
    // A stage that has just been deployed may need a moment; a refused key needs no retry.
    if (reply !== undefined && (reply.status < 500 || attempt >= TRIES))
      throw new StartError(`GET ${path} returned ${reply.status}: ${(await reply.text()).slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
  }
}

/** Throws `StartError` when the stage does not respond, or refuses the key. */
export async function findData(url: string, key: string): Promise<FoundData> {
  const observed = (await listAt(url, '/v1/ports', key)).filter((port) => port.last_observed !== null);
  let port: string | undefined;
  for (const { port: code } of observed.slice(0, LOOKED_AT_PORTS)) {
    const [trend, dwell] = [
      await listAt(url, `/v1/ports/${code}/trend?window=30d`, key),
      await listAt(url, `/v1/ports/${code}/dwell?window=30d`, key),
    ];
    const kinds = new Set(dwell.map(({ kind }) => kind));
    if (trend.length === 0 || kinds.size < 2) continue;
    port = String(code);
    break;
  }
  let code: string | undefined;
  for (const candidate of CODES) {
    if (code !== undefined || (await listAt(url, `/v1/hs/${candidate}/imports`, key)).length === 0) continue;
    code = candidate;
  }
  return {
    port,
    code,
    says: [
      port === undefined ? 'no port has a trend and stays of both kinds yet' : `figures are those of ${port}`,
      code === undefined ? 'no HS code has an index yet' : `the index is that of HS ${code}`,
    ],
  };
}
