/** The service under test: the one that the setup started, or the one at BASE_URL with keys from the environment. */
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { planIncludes } from '../../core/access/keys.ts';
import type { Tier } from '../../core/contracts/plans.ts';
import { exampleRequest, type Route } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { exchange, type Reply, type Sending } from './exchange.ts';

const demoKeys = JSON.parse(
  readFileSync(new URL('../../local/demo-keys.json', import.meta.url), 'utf8'),
) as Record<string, string>;

/** True when the tests run against a deployed stage. */
export const isDeployed = process.env.BASE_URL !== undefined;

/** Where the clock of the local service stands, as in the README: no response depends on the day of a run, or on its duration. */
export const SAMPLE_NOW = Date.UTC(2026, 10, 20, 12);

/** Milliseconds by which the clock of a deployed stage is ahead. */
const CLOCK_OFFSET_MS = Number(process.env.CLOCK_OFFSET_MS ?? 0);

/** The present as the service sees it, in epoch milliseconds. */
export const serviceNow = (): number => (isDeployed ? Date.now() + CLOCK_OFFSET_MS : SAMPLE_NOW);

/** Base address without a slash at its end. */
export function serviceUrl(): string {
  const url = process.env.BASE_URL ?? process.env.LOCAL_SERVICE_URL;
  if (url === undefined) throw new Error('no service: run the whole suite, or set BASE_URL');
  return url.replace(/\/$/, '');
}

export type KeyName = 'demo' | 'lite' | 'starter' | 'pro' | 'disabled' | 'unplanned' | 'bench' | 'small';

/** A key by its case: KEY_LITE, KEY_STARTER and so on for a deployed stage, the demo keys locally. */
export function keyOf(name: KeyName): string {
  const key = isDeployed ? process.env[`KEY_${name.toUpperCase()}`] : demoKeys[name];
  if (key === undefined) throw new Error(`there is no key ${name}: set KEY_${name.toUpperCase()}`);
  return key;
}

/** A key that the limits of other tests do not touch: without limits locally, on Pro where it is deployed. */
export const quietKey = (): string => keyOf(isDeployed ? 'pro' : 'bench');

/** A longer Retry-After means that the month's quota is used up. */
const MAX_WAIT_SECONDS = 60;

/**
 * A request, by default with a good key. The keys of a deployed stage have limits, and rows about other
 * things wait for their turn there; the rows about limits have a service of their own.
 */
export async function get(path: string, sending: Sending = {}): Promise<Reply> {
  const key = 'key' in sending ? sending.key : quietKey();
  for (;;) {
    const reply = await exchange(serviceUrl(), path, { key, ...sending });
    const waitSeconds = Number(reply.headers['retry-after'] ?? Number.POSITIVE_INFINITY);
    if (!isDeployed || reply.status !== 429 || waitSeconds > MAX_WAIT_SECONDS) return reply;
    await delay(waitSeconds * 1000);
  }
}

const SAMPLE_PORT = 'USLAX';
/** A covered port with a trend, and dwell of both kinds. */
export const PORT = process.env.PORT_WITH_DATA ?? SAMPLE_PORT;
/** A covered port with waits of many days, and so with a forecast. */
export const PORT_WITH_HISTORY = process.env.PORT_WITH_HISTORY ?? SAMPLE_PORT;
/** A covered port with alerts of the last 30 days. */
export const PORT_WITH_ALERTS = process.env.PORT_WITH_ALERTS ?? SAMPLE_PORT;
/** An HS code with data. */
export const HS = process.env.HS_WITH_DATA ?? '85';
/** Well-formed and not covered. */
export const UNKNOWN_PORT = 'ZZZZZ';

/** A request to every path of these operations, aliases included, in its simplest valid form. */
const requestsTo = (ids: readonly OperationId[]): readonly string[] =>
  ids.flatMap((id) => {
    const route: Route = ROUTES[id];
    return route.paths.map((path) =>
      exampleRequest({ ...route, paths: [path] }, { UNLOCODE: PORT, code: HS }),
    );
  });
const KEYED_OPERATIONS = OPERATION_IDS.filter((id) => ROUTES[id].authenticated);
export const KEYED_PATHS = requestsTo(KEYED_OPERATIONS);
export const ALL_PATHS = requestsTo(OPERATION_IDS);
/** The paths that the plan does not include. */
export const pathsNotOn = (plan: Tier): readonly string[] =>
  requestsTo(KEYED_OPERATIONS.filter((id) => !planIncludes(plan, ROUTES[id])));
