/** The upstreams of the simulated year: simulated ports as polls or as records, from an upstream with faults. */

import { pollAt } from '../../../accuracy/ground-truth/simulated-polls.ts';
import { LONGEST_POLL_GAP_MS } from '../../../core/calls/coverage.ts';
import type { CallBatch, PortPoll, SourceReport, TradeReport } from '../../../core/calls/observation.ts';
import {
  addMonths,
  DAY_MS,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
  monthOf,
  wholeSecond,
} from '../../../core/reference/time.ts';
import { UpstreamFailure } from '../../../core/sources/http-client.ts';
import { callRecordAt, changedIn, inPortAt } from '../../../core/sources/sample-simulator/call-record.ts';
import { type RandomStream, randomStream, uniform } from '../../../core/sources/sample-simulator/random.ts';
import { simulatePort } from '../../../core/sources/sample-simulator/simulate-port.ts';
import { legAt, type SimulatedCall } from '../../../core/sources/sample-simulator/simulated-call.ts';
import type { FetchedFiles, Source } from '../../../core/sources/source.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

/**
 * What the upstream does when it is asked. `late`: it shows the port of some hours ago. `repeated`: its last reply
 * again. `no-list`: the list of the vessels in port is missing. `half-list`: it is cut short.
 */
export type Turn = 'good' | 'late' | 'repeated' | 'garbage' | 'no-list' | 'half-list' | 'down' | 'busy';

export interface Counts {
  readonly in_port: number;
  readonly at_anchor: number;
}

/** What an upstream has shown about one port: true counts by time; undefined where it did not show them. */
export type Shown = Map<Instant, Counts | undefined>;

export interface Upstream {
  readonly source: Source;
  readonly everyTicks: number;
  turn: Turn;
  readonly shown: ReadonlyMap<string, Shown>;
}

/** True time, which only the upstreams know. */
export interface World {
  nowAt: Instant;
}

export interface UpstreamOptions {
  readonly id: string;
  readonly kind: 'polls' | 'events';
  readonly ports: readonly string[];
  readonly everyTicks: number;
  readonly beganAt: Instant;
  readonly days: number;
  readonly seed: number;
}

/** Lists of arrived and departed vessels reach back 36 hours. */
const SHOWN_MS = 2 * DAY_MS;
/** Fewer vessels than this are not judged to be half a list. */
const FEWEST_TO_CUT = 24;
const HS_CODES = ['85', '8542', '01'];
const MONTHS_TOLD = 18;

/** The calls that can matter on the day of `at`, cached between requests. */
function callsAround(truth: readonly SimulatedCall[]): (at: Instant) => readonly SimulatedCall[] {
  let day = Number.NaN;
  let calls: readonly SimulatedCall[] = [];
  return (at) => {
    const asked = Math.floor(at / DAY_MS);
    if (asked !== day) {
      day = asked;
      const [fromAt, toAt] = [day * DAY_MS - SHOWN_MS, (day + 1) * DAY_MS];
      calls = truth.filter(({ ataAt, atdAt }) => ataAt < toAt && atdAt > fromAt);
    }
    return calls;
  };
}

function countsAt(calls: readonly SimulatedCall[], at: Instant): Counts {
  const present = calls.filter((call) => inPortAt(call, at));
  return {
    in_port: new Set(present.map(({ vesselId }) => vesselId)).size,
    at_anchor: new Set(
      present.filter((call) => legAt(call, at)?.zone === 'anchorage').map(({ vesselId }) => vesselId),
    ).size,
  };
}

/** Import values as they are published in a month; the newest three are revised in the month after. */
function tradeAt(at: Instant, seed: number): TradeReport {
  const newest = addMonths(monthOf(at), -2);
  const values = HS_CODES.flatMap((code) =>
    Array.from({ length: MONTHS_TOLD }, (_, ago) => {
      const month = addMonths(newest, -ago);
      const issue = ago < 3 ? `issue ${newest}` : 'final';
      return {
        code,
        month,
        value: Math.round(1e6 * uniform(randomStream(seed, code, month, issue), 0.5, 2)),
      };
    }),
  );
  return { kind: 'trade', measure: 'GEN_VAL_MO', observedAt: at, values };
}

/** The poll as the fault leaves it. */
function spoiled(poll: PortPoll, turn: Turn): PortPoll {
  const { inPort = [], ...rest } = poll;
  const cannotCut = inPort.length < FEWEST_TO_CUT;
  if (turn === 'no-list' || (turn === 'half-list' && cannotCut)) return rest;
  // Vessels that another list still has would not be missed.
  if (turn === 'half-list') return { ...rest, inPort: inPort.slice(0, 3), arrived: [], departed: [] };
  return poll;
}

/** An upstream of simulated ports that shows the current state of `world`. */
export function startUpstream(world: World, options: UpstreamOptions): Upstream {
  const { id, kind, ports, beganAt, days, seed } = options;
  const random: RandomStream = randomStream('upstream', id, seed);
  const truths = ports.map((port) => {
    const calls = simulatePort(port, beganAt - 10 * DAY_MS, beganAt + (days + 1) * DAY_MS, seed);
    return { port, calls, around: callsAround(calls) };
  });
  const shown = new Map<string, Shown>(ports.map((port) => [port, new Map()]));
  let last: FetchedFiles | undefined;

  function pollsAt(at: Instant): SourceReport[] {
    return truths.map(({ port, around }) => {
      const calls = around(at);
      const poll = spoiled(pollAt(calls, at), upstream.turn);
      const isWhole = poll.inPort !== undefined && upstream.turn !== 'half-list';
      shown.get(port)?.set(at, isWhole ? countsAt(calls, at) : undefined);
      return poll;
    });
  }

  /** Everything that changed since the last fetch; the margin is more than any clock is ever wrong by. */
  function batchesAt(at: Instant, lastFetchAt: Instant | undefined): SourceReport[] {
    const fromAt = lastFetchAt === undefined ? beganAt - 10 * DAY_MS : lastFetchAt - 2 * HOUR_MS;
    return truths.map(({ port, calls }): CallBatch => {
      shown.get(port)?.set(at, countsAt(calls, at));
      const changed = calls.filter((call) => changedIn(call, { fromAt, toAt: at }));
      const records = changed.flatMap((call) => callRecordAt(call, at) ?? []);
      return { kind: 'call-batch', port, observedAt: at, coveredFromAt: fromAt, records };
    });
  }

  const upstream: Upstream = {
    source: {
      ...scriptedSource(id, ports),
      declaration: { ...scriptedSource(id, ports).declaration, kind },
      async fetch({ lastFetchAt }) {
        const { turn } = upstream;
        if (turn === 'down') throw new UpstreamFailure('timed-out', 'no response');
        if (turn === 'busy') throw new UpstreamFailure('refused', '429', 1200);
        if (turn === 'repeated' && last !== undefined) return last;
        if (turn === 'garbage') return new Map([['reply.json', new TextEncoder().encode('<html>')]]);
        const behindMs = turn === 'late' && kind === 'polls' ? uniform(random, 5, 200) * MINUTE_MS : 0;
        const asOfAt = wholeSecond(world.nowAt - behindMs);
        const reports = kind === 'polls' ? pollsAt(asOfAt) : batchesAt(asOfAt, lastFetchAt);
        if (kind === 'events' && random() < 0.05) reports.push(tradeAt(asOfAt, seed));
        last = new Map([['reply.json', new TextEncoder().encode(JSON.stringify({ asOfAt, reports }))]]);
        return last;
      },
    },
    everyTicks: options.everyTicks,
    turn: 'good',
    shown,
  };
  return upstream;
}

/** Share of a day between polls no further apart than allowed, from the first ever; the outside's idea of coverage. */
export function shareCovered(times: readonly Instant[], fromAt: Instant, toAt: Instant): number {
  const beginAt = Math.max(fromAt, times[0] ?? toAt);
  let coveredMs = 0;
  for (let i = 1; i < times.length; i += 1) {
    const [a = 0, b = 0] = [times[i - 1], times[i]];
    if (b - a <= LONGEST_POLL_GAP_MS) coveredMs += Math.max(0, Math.min(b, toAt) - Math.max(a, beginAt));
  }
  return toAt > beginAt ? coveredMs / (toAt - beginAt) : 0;
}
