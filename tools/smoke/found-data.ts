/** Finds ports and an HS code with data on a stage, so that rows about figures can run. */
import { StartError } from '../../local/start-error.ts';

/** What rows read. Undefined: the stage has none. */
export interface FoundData {
  /** A port with a trend, and dwell of both kinds. */
  readonly port: string | undefined;
  /** A port with waits of many days, and a forecast. */
  readonly history: string | undefined;
  /** A port with alerts of the last 30 days. */
  readonly alerts: string | undefined;
  /** An HS code with an index. */
  readonly code: string | undefined;
}

/** What is there, and what is not, by what was looked for. */
export const FOUND: Readonly<Record<keyof FoundData, readonly [some: string, none: string]>> = {
  port: ['trend and dwell are those of', 'no port has a trend and dwell of both kinds'],
  history: ['waits and forecast are those of', 'no port has waits of a week and a forecast'],
  alerts: ['alerts are those of', 'no port has alerts of the last 30 days'],
  code: ['the index is that of HS', 'no HS code has an index'],
};

const CODES = ['85', '84', '87', '27', '30'];
const TRIES = 5;
const PAUSE_MS = 3000;
const LOOKED_AT_PORTS = 30;
const WAIT_DAYS = 7;

async function readAt(url: string, path: string, key: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } }).catch((thrown: unknown) => {
      if (attempt >= TRIES) throw new StartError(`${url} does not respond: ${thrown}`);
      return undefined;
    });
    if (reply?.ok) return reply.json();
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
export async function findData(url: string, key: string): Promise<FoundData> {
  const list = async (path: string) => (await readAt(url, path, key)) as readonly Record<string, unknown>[];
  const observed = (await list('/v1/ports')).filter((port) => port.last_observed !== null);
  const ports = observed.slice(0, LOOKED_AT_PORTS).map(({ port }) => String(port));
  return {
    port: await firstOf(ports, async (port) => {
      const trend = await list(`/v1/ports/${port}/trend?window=30d`);
      const dwell = await list(`/v1/ports/${port}/dwell?window=30d`);
      return trend.length > 0 && new Set(dwell.map(({ kind }) => kind)).size >= 2;
    }),
    history: await firstOf(ports, async (port) => {
      const forecast = (await readAt(url, `/v1/ports/${port}/forecast`, key)) as { readonly reason: unknown };
      return forecast.reason === null && (await list(`/v1/ports/${port}/waits`)).length >= WAIT_DAYS;
    }),
    alerts: await firstOf(
      ports,
      async (port) => (await list(`/v1/ports/${port}/alerts?window=30d`)).length > 0,
    ),
    code: await firstOf(CODES, async (hs) => (await list(`/v1/hs/${hs}/imports`)).length > 0),
  };
}
