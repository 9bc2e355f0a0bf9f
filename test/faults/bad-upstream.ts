/** A loopback upstream with good and bad replies in turn, over the real network client: every good reply counts. */
import { HOUR_MS, MINUTE_MS } from '../../core/reference/time.ts';
import { fetchHttpClient } from '../../core/sources/fetch-http-client.ts';
import type { HttpClient } from '../../core/sources/http-client.ts';
import { randomStream } from '../../core/sources/sample-simulator/random.ts';
import type { Source } from '../../core/sources/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { scriptedUpstream, type Turn, turns } from '../builders/scripted-upstream.ts';
import { BrokenPromise, expectReplayed, type FaultReport, polledPort, T0 } from './fault-run.ts';

/** Long enough for a loopback reply on a busy machine, short enough for hundreds of stalls. */
const TRY_MS = 250;

type Kind =
  | 'good'
  | 'error500'
  | 'retryAfter'
  | 'stall'
  | 'reset'
  | 'halfBody'
  | 'garbage'
  | 'html'
  | 'empty';
const KINDS: readonly Kind[] = [
  'good',
  'error500',
  'good',
  'retryAfter',
  'reset',
  'halfBody',
  'garbage',
  'html',
  'empty',
  'stall',
];

const BAD: Readonly<Record<Exclude<Kind, 'good'>, (text: string) => Turn>> = {
  error500: () => turns.status(500, {}, 'no'),
  retryAfter: () => turns.status(429, { 'retry-after': '30' }),
  stall: turns.stall,
  reset: turns.reset,
  halfBody: turns.halfBody,
  garbage: () => turns.ok(new Uint8Array([0xff, 0xfe, 0, 1, 2, 3])),
  html: () => turns.ok('<!doctype html><title>Maintenance</title>'),
  empty: () => turns.ok(''),
};

/** The polled port behind the network: the upstream sends the source's own reply. */
function overNetwork(port: Source, origin: string): Source {
  return {
    ...port,
    async fetch({ http }) {
      const { status, body } = await http.get(`${origin}/poll`);
      return status === 200 ? new Map([['poll.json', body]]) : new Map();
    },
  };
}

export async function badUpstream(passes: number, seed: number): Promise<FaultReport> {
  const random = randomStream('bad-upstream', seed);
  const counts: Record<string, number> = { requests: 0, goodReplies: 0, taken: 0, failed: 0, paused: 0 };
  const state: { ingest?: MemoryIngest; port?: Source } = {};
  const respond: Turn = (request, response) => {
    const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'good';
    counts.requests = (counts.requests ?? 0) + 1;
    counts[kind] = (counts[kind] ?? 0) + 1;
    const { port, ingest } = state;
    if (port === undefined || ingest === undefined) return turns.reset()(request, response);
    const context = {
      http: noHttp,
      now: () => ingest.clock.nowAt,
      lastFetchAt: undefined,
      secret: undefined,
    };
    void port.fetch(context).then((files) => {
      const body = files.get('poll.json') ?? new Uint8Array();
      const turn = kind === 'good' ? turns.ok(body) : BAD[kind](new TextDecoder().decode(body));
      turn(request, response);
    });
  };
  const upstream = await scriptedUpstream([respond]);
  try {
    const clock = { nowAt: T0 };
    const http = fetchHttpClient(
      { hosts: [upstream.host], largestReplyBytes: 4_000_000 },
      {
        now: () => clock.nowAt,
        random,
        sleep: async () => undefined,
        allowLoopback: true,
        limits: { tryTimeoutMs: TRY_MS, tries: 3 },
      },
    );
    const ingest = startMemoryIngest({ nowAt: T0, http });
    const port = polledPort(() => ingest.clock.nowAt, passes / 72 + 8, seed);
    Object.assign(state, { ingest, port });
    const source = overNetwork(port, upstream.origin);
    for (let n = 0; n < passes; n += 1) {
      const goodBefore = counts.good ?? 0;
      const outcome = await ingest.pass(source);
      const isGood = (counts.good ?? 0) > goodBefore;
      if (isGood) counts.goodReplies = (counts.goodReplies ?? 0) + 1;
      if (isGood !== (outcome.state === 'ok'))
        throw new BrokenPromise(`pass ${n} had ${isGood ? 'a' : 'no'} good reply and was ${outcome.state}`);
      const counted = outcome.state === 'ok' ? 'taken' : outcome.state;
      counts[counted] = (counts[counted] ?? 0) + 1;
      ingest.clock.nowAt += outcome.state === 'paused' ? HOUR_MS : 20 * MINUTE_MS;
      clock.nowAt = ingest.clock.nowAt;
    }
    await expectReplayed('after the upstream', ingest, source);
    return { scenario: 'upstream good and bad in turn', runs: passes, counts };
  } finally {
    await upstream.close();
  }
}

const noHttp: HttpClient = {
  get: async () => {
    throw new Error('the port is behind the network');
  },
};
