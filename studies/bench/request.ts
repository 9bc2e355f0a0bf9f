/**
 * A warm request by parts: processor time of the function's own thread; the embedded store has a thread of its own. The lowest
 * of several rounds counts, because other work on the machine only adds time.
 */
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { Route } from '../../core/contracts/route.ts';
import { ROUTES } from '../../core/contracts/routes.ts';
import type { RequestHandler } from '../../core/http/chain.ts';
import { readParameters } from '../../core/http/request.ts';
import { representation } from '../../core/http/response.ts';
import type { KeyContext } from '../../core/keys/entitlements.ts';
import { keyDigest } from '../../core/keys/key.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { createTokenBuckets } from '../../core/limits/bucket-table.ts';
import { createLimiter } from '../../core/limits/limiter.ts';
import { addDays, dayOf } from '../../core/reference/time.ts';
import { createSampleSource, HISTORY_DAYS } from '../../core/sources/sample-simulator/sample-source.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { startEmbeddedStore } from '../../local/store/embedded-store.ts';
import { type EventParts, gatewayEvent, INVOCATION, STARTER_KEY } from '../../test/builders/gateway-event.ts';
import { startTestIngest } from '../../test/builders/ingest.ts';
import {
  endpointsOver,
  handlersOver,
  type KeyedOperation,
  type Tables,
} from '../../test/builders/keyed-handlers.ts';
import { startTestStore } from '../../test/builders/store-tables.ts';
import { type Figure, sharesOf } from './figure.ts';
import { DEFAULT_PORTS, LONG_LIST, portRows } from './port-rows.ts';

const ROUNDS = 12;
const SECRET = `pcd_dev_${'a1'.repeat(16)}`;
/** A bucket that no round empties: the limiter writes, and never refuses. */
const KEY: KeyContext = {
  ...STARTER_KEY,
  digest: keyDigest(SECRET),
  limits: { ratePerSecond: 10_000, burst: 100_000 },
};

/** Something that is measured, and how often it is done in a round. */
interface Work {
  readonly repeats: number;
  readonly run: () => unknown;
}

/** Milliseconds of processor time by part, `whole` being all of it. */
type Parts = Readonly<Record<'whole' | 'limiter' | 'read' | 'serialize' | 'compress', number>>;

/** Nanoseconds that the main thread has run. Linux counts them when the thread gives the processor up, so it sleeps first. */
async function threadNanoseconds(): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 2));
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]);
}

/** The lowest mean milliseconds of each of `works`, which take turns, so that a busy moment of the machine hits all of them. */
async function leastCpuMs(works: ReadonlyMap<string, Work>): Promise<(name: string) => number> {
  const least = new Map<string, number>();
  for (let round = -2; round < ROUNDS; round += 1)
    for (const [name, { repeats, run }] of works) {
      const before = await threadNanoseconds();
      for (let repeat = 0; repeat < repeats; repeat += 1) await run();
      const ms = ((await threadNanoseconds()) - before) / 1e6 / repeats;
      if (round >= 0) least.set(name, Math.min(least.get(name) ?? Number.POSITIVE_INFINITY, ms));
    }
  return (name) => least.get(name) ?? Number.NaN;
}

/** A request whose parts are measured, and how often in a round. */
interface Subject {
  readonly operation: KeyedOperation;
  readonly event: EventParts;
  readonly tables: Tables;
  readonly repeats?: number;
  /** Done before each whole request, and counted. */
  readonly first?: () => Promise<void>;
}

/** The work of each part, on tables that have data for the request. */
async function worksOf(
  { operation, event: parts, tables, repeats = 20, first }: Subject,
  nowAt: number,
): Promise<Record<keyof Parts, Work>> {
  const route = ROUTES[operation];
  const now = (): number => nowAt;
  const event = gatewayEvent({
    ...parts,
    resource: route.paths[0],
    key: KEY,
    headers: { 'Accept-Encoding': ['gzip'] },
  });
  const parameters = readParameters(route, event);
  const handler = handlersOver(tables, { now })[operation];
  const respond = endpointsOver(tables, now)[operation] as RequestHandler<Route>;
  const read = () => respond(parameters as Parameters<typeof respond>[0], new Map());
  const limiter = createLimiter({
    buckets: createTokenBuckets(tables.rateLimits),
    now: Date.now,
    onFailure: () => {},
  });
  const data = await read();
  const { body, gzip } = representation(route, parameters, data, now());
  const { statusCode } = await handler(event, INVOCATION);
  if (statusCode !== 200) throw new Error(`${operation} returns ${statusCode}`);
  const work = (run: Work['run']): Work => ({ repeats, run });
  return {
    whole: work(async () => {
      await first?.();
      return handler(event, INVOCATION);
    }),
    limiter: work(() => limiter.admit(KEY)),
    read: work(read),
    serialize: work(() => representation(route, parameters, data, now())),
    compress: work(() => gzip && gzipSync(body).toString('base64')),
  };
}

export interface RequestParts {
  readonly authorizerMs: number;
  readonly byRequest: Readonly<Record<string, Parts>>;
}

export async function requestParts(): Promise<RequestParts> {
  const embedded = await startEmbeddedStore({ directory: undefined });
  process.env.AWS_ENDPOINT_URL_DYNAMODB = embedded.endpoint;
  const nowAt = Date.now();
  const ingest = await startTestIngest({ nowAt });
  const store = await startTestStore(['apiKeys', 'rateLimits']);
  const closing: { close(): Promise<void> }[] = [store, ingest, embedded];
  try {
    const source = createSampleSource({
      seed: 1,
      firstDay: async () => addDays(dayOf(nowAt), -HISTORY_DAYS),
    });
    const { state, detail } = await ingest.pass(source);
    if (state !== 'ok') throw new Error(`${state}: ${detail}`);
    const keys = createKeyStore(store.tables.apiKeys);
    const row = { ...KEY, keyId: 'bench', name: 'bench', enabled: true, planId: 'bench' };
    await keys.change([row], []);
    const authorize = createAuthorizer({ keys, prefix: 'pcd_dev', now: Date.now });
    const multiValueHeaders = { 'X-API-Key': [SECRET] };
    const methodArn = 'arn:aws:execute-api:us-east-1:111122223333:api/dev/GET/v1/ports';
    const works = new Map<string, Work>([
      ['authorizer', { repeats: 20, run: () => authorize({ methodArn, headers: {}, multiValueHeaders }) }],
    ]);
    const tables: Tables = { ...store.tables, ...ingest.tables };
    const path = { UNLOCODE: 'USLAX' };
    const window = { window: ['30d'] };
    const list = async (count: number, isReadBefore = false): Promise<Subject> => {
      const lists = await startTestStore(['ports', 'sourceStatus']);
      closing.unshift(lists);
      await lists.tables.ports.writeMany(
        portRows(count, nowAt).map((row) => ({ ...row, knownOn: row.lastDay })),
      );
      let checkpointAt = nowAt;
      const first = async (): Promise<void> => {
        checkpointAt += 1000;
        await lists.tables.sourceStatus.put({ source: 'bench', checkpointAt });
      };
      const subject = { event: {}, tables: { ...tables, ...lists.tables }, repeats: 4 };
      return { operation: 'ports', ...subject, ...(isReadBefore && { first }) };
    };
    const subjects: Readonly<Record<string, Subject>> = {
      snapshot: { operation: 'snapshot', event: { path }, tables },
      'trend, 30 days': { operation: 'trend', event: { path, query: window }, tables },
      'waits, 30 days': { operation: 'waits', event: { path }, tables },
      'dwell, 30 days': { operation: 'dwell', event: { path, query: window }, tables },
      [`ports, ${DEFAULT_PORTS}`]: await list(DEFAULT_PORTS),
      [`ports, ${LONG_LIST}`]: await list(LONG_LIST),
      [`ports, ${LONG_LIST}, a source read before each`]: await list(LONG_LIST, true),
    };
    for (const [request, subject] of Object.entries(subjects))
      for (const [part, work] of Object.entries(await worksOf(subject, nowAt)))
        works.set(`${request}: ${part}`, work);
    const least = await leastCpuMs(works);
    const partsOf = (request: string): Parts => {
      const of = (part: keyof Parts): number => least(`${request}: ${part}`);
      return {
        whole: of('whole'),
        limiter: of('limiter'),
        read: of('read'),
        serialize: of('serialize'),
        compress: of('compress'),
      };
    };
    return {
      authorizerMs: least('authorizer'),
      byRequest: Object.fromEntries(Object.keys(subjects).map((request) => [request, partsOf(request)])),
    };
  } finally {
    delete process.env.AWS_ENDPOINT_URL_DYNAMODB;
    for (const opened of closing) await opened.close();
  }
}

export const requestFigures = ({ authorizerMs, byRequest }: RequestParts): Figure[] => [
  { what: 'authorizer', value: authorizerMs, unit: 'ms', against: 'processor time, once a key and minute' },
  ...Object.entries(byRequest).map(([request, parts]): Figure => {
    const { whole, ...named } = parts;
    const shares = sharesOf(named, whole);
    return { what: request, value: whole, unit: 'ms', against: shares };
  }),
];
