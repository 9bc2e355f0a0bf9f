/** Finds a port and an HS code with data on a stage, so that rows about figures can run. */
import { StartError } from '../../local/start-error.ts';

export type FoundData = Awaited<ReturnType<typeof findData>>;

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

async function firstOf(items: readonly string[], isFound: (item: string) => Promise<boolean>) {
  for (const item of items) if (await isFound(item)) return item;
  return undefined;
}

/** Throws `StartError` when the stage does not respond, or refuses the key. */
export async function findData(url: string, key: string) {
  const list = (path: string) => listAt(url, path, key);
  const observed = (await list('/v1/ports')).filter((port) => port.last_observed !== null);
  /** A port with trend, dwell and snapshot; undefined before there is one. */
  const port = await firstOf(
    observed.slice(0, LOOKED_AT_PORTS).map((listed) => String(listed.port)),
    async (code) => {
      const trend = await list(`/v1/ports/${code}/trend?window=30d`);
      const dwell = await list(`/v1/ports/${code}/dwell?window=30d`);
      return trend.length > 0 && new Set(dwell.map(({ kind }) => kind)).size >= 2;
    },
  );
  const code = await firstOf(CODES, async (hs) => (await list(`/v1/hs/${hs}/imports`)).length > 0);
  return {
    port,
    code,
    says: [
      port === undefined ? 'no port has a trend and stays of both kinds yet' : `figures are those of ${port}`,
      code === undefined ? 'no HS code has an index yet' : `the index is that of HS ${code}`,
    ],
  };
}
