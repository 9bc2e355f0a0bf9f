/** The sample as a source: seeded calls of five ports, and import values. Never part of a deployment. */
import type { CallRecord, CallsObservation, TradeObservation, VesselClass } from '../../calls/observation.ts';
import { HS_CHAPTERS, type HsCode, type Locode } from '../../reference/codes.ts';
import {
  addDays,
  addMonths,
  DAY_MS,
  type Day,
  dayOf,
  daysBetween,
  endOfDay,
  formatInstant,
  HOUR_MS,
  type Instant,
  type Month,
  monthOf,
  SECOND_MS,
  startOfDay,
  wholeSecond,
} from '../../reference/time.ts';
import { UpstreamFailure } from '../../upstream/http-client.ts';
import { Refusals, RefusedReply, type Source } from '../../upstream/source.ts';
import { SAMPLE_DECLARATION } from './declaration.ts';

// Seeded random streams and the distributions of the simulation.

/** The next number of a stream, uniform in [0, 1). */
export type RandomStream = () => number;

const { imul } = Math;

/** Murmur3's 32-bit finalizer: every input bit changes about half of the output bits. */
function mix(word: number): number {
  let mixed = word;
  mixed = imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Two 32-bit FNV-1a hashes of the text with different offsets, finished by `mix` because FNV alone spreads short texts badly. */
function hashPair(text: string): [number, number] {
  let [low, high] = [0x811c9dc5, 0x9747b28c];
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    low = imul(low ^ unit, 0x01000193);
    high = imul(high ^ unit, 0x01000193);
  }
  return [mix(low), mix(high)];
}

/** An independent stream for each key; equal keys give equal streams (sfc32, PractRand). */
export function randomStream(...key: readonly (string | number)[]): RandomStream {
  let [a, b] = hashPair(key.join('|'));
  let c = mix(a ^ b);
  let counter = 1;
  const next = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i += 1) next();
  return next;
}

/** Uniform in [`low`, `high`). */
export const uniform = (random: RandomStream, low: number, high: number): number =>
  low + (high - low) * random();

/** Exponential with the given mean; a Poisson process's time between arrivals. */
export const exponential = (random: RandomStream, mean: number): number => -mean * Math.log(1 - random());

/** Standard normal by Box and Muller. */
export const standardNormal = (random: RandomStream): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** Log-normal with the given median; `spread` is the standard deviation of its logarithm. */
export const logNormal = (random: RandomStream, median: number, spread: number): number =>
  median * Math.exp(spread * standardNormal(random));

// Made-up monthly import values: level, season, trend, noise, and a step up or down every four years.

/** Headings and subheadings, in addition to every chapter. */
const DETAILED_CODES: readonly HsCode[] = [
  ...['0203', '020329', '0803', '080390', '0901', '090111', '2204', '220421', '2709', '270900'],
  ...['3004', '300490', '4011', '401110', '6109', '610910', '6403', '640399', '7208', '720839'],
  ...['8471', '847130', '8517', '851713', '8542', '854231', '8703', '870323', '9401', '940161'],
];

/** US Census name of the general imports value of a month, in US dollars. */
const MEASURE = 'GEN_VAL_MO';
/** Months in the first fetch: 36 index values need 12 + 2 more; two spare months test that older ones are dropped. */
const MONTHS_HELD = 52;
const PUBLICATION_LAG_MS = 35 * DAY_MS;
const CYCLE_MONTHS = 48;
/** Months from the year 0 to the year of the levels. */
const BASE_MONTH = 2020 * 12;
/** Standard deviation of a month's logarithm. */
const NOISE = 0.03;

/** The newest month published at `at`: about 35 days after a month's end. */
function newestMonth(at: Instant): Month {
  let month = monthOf(at);
  while (startOfDay(`${addMonths(month, 1)}-01`) + PUBLICATION_LAG_MS > at) month = addMonths(month, -1);
  return month;
}

/** A chapter's US dollars in a month, or the share that a finer code has of the code two digits shorter. */
function component(code: HsCode, seed: number): (month: Month) => number {
  const random = randomStream(seed, 'import', code);
  const isChapter = code.length === 2;
  const level = isChapter ? logNormal(random, 4e8, 1.1) : uniform(random, 0.15, 0.6);
  const swing = uniform(random, 0.03, isChapter ? 0.18 : 0.06);
  const peakMonth = uniform(random, 0, 12);
  const growthPerYear = isChapter ? uniform(random, -0.02, 0.06) : 0;
  const step = isChapter ? uniform(random, 0.75, 1.35) : 1;
  const stepOffset = uniform(random, 0, CYCLE_MONTHS);
  return (month) => {
    const months = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1;
    const season = 1 + swing * Math.cos((2 * Math.PI * (months - peakMonth)) / 12);
    const trend = Math.exp((growthPerYear * (months - BASE_MONTH)) / 12);
    const isStepped = Math.floor((months - stepOffset) / CYCLE_MONTHS) % 2 === 0;
    const noise = Math.exp(NOISE * standardNormal(randomStream(seed, 'import', code, month)));
    return level * season * trend * noise * (isStepped ? step : 1);
  };
}

/** The values published since the last fetch, 52 months the first time; undefined where there are none. */
function importReport(
  lastFetchAt: Instant | undefined,
  now: Instant,
  seed: number,
): TradeObservation | undefined {
  const newest = newestMonth(now);
  const known = lastFetchAt === undefined ? '' : newestMonth(lastFetchAt);
  const months = Array.from({ length: MONTHS_HELD }, (_, i) => addMonths(newest, i - MONTHS_HELD + 1)).filter(
    (month) => month > known,
  );
  if (months.length === 0) return undefined;
  const exact = new Map<HsCode, number[]>();
  for (const code of [...HS_CHAPTERS, ...DETAILED_CODES].sort()) {
    const part = component(code, seed);
    const whole = exact.get(code.slice(0, -2));
    exact.set(
      code,
      months.map((month, i) => (whole?.[i] ?? 1) * part(month)),
    );
  }
  const values = [...exact].flatMap(([code, row]) =>
    months.map((month, i) => ({ code, month, value: Math.round(row[i] ?? 0) })),
  );
  return { kind: 'trade', measure: MEASURE, observedAt: now, values };
}

// Made-up calls of five ports: vessels arrive at random, take the berth that is free first, and leave.

type SimulatedTraffic = 'cargo' | 'ferry';

/** From `fromDay` of a cycle on, the first `berths` berths work. */
interface BerthsAtWork {
  readonly fromDay: number;
  readonly berths: number;
}

interface PortProfile {
  /** Mean arrivals a day. */
  readonly perDay: Readonly<Record<SimulatedTraffic, number>>;
  /** Median hours at a berth; they are log-normal. */
  readonly berthHours: number;
  readonly berths: readonly BerthsAtWork[];
  readonly anchorage: string;
  readonly prefix: string;
}

const always = (berths: number): readonly BerthsAtWork[] => [{ fromDay: 0, berths }];

/**
 * A labour dispute: few berths work and the queue builds up; then slightly fewer than the arrivals need, and it stays; then every
 * berth and lay-by berth works, and it clears within a day or two. Calm and queue are each long enough for the change-point
 * detector to report the rise and the fall of the second cycle, with which the history of a new data folder ends.
 */
const DISPUTE: readonly BerthsAtWork[] = [
  { fromDay: 0, berths: 22 },
  { fromDay: 17.7, berths: 4 },
  { fromDay: 21, berths: 11 },
  { fromDay: 35.5, berths: 60 },
  { fromDay: 38.5, berths: 22 },
];
const CYCLE_MS = 91 * DAY_MS;

const PROFILES: Readonly<Record<Locode, PortProfile>> = {
  USLAX: {
    perDay: { cargo: 10, ferry: 0 },
    berthHours: 27,
    berths: DISPUTE,
    anchorage: 'San Pedro Bay anchorage',
    prefix: 'LA',
  },
  SGSIN: {
    perDay: { cargo: 20, ferry: 0 },
    berthHours: 17,
    berths: always(18),
    anchorage: 'Eastern anchorage',
    prefix: 'PSA',
  },
  NLRTM: {
    perDay: { cargo: 14, ferry: 0 },
    berthHours: 22,
    berths: always(17),
    anchorage: 'Maas anchorage',
    prefix: 'RTM',
  },
  HKHKG: {
    perDay: { cargo: 13, ferry: 0 },
    berthHours: 14,
    berths: always(11),
    anchorage: 'Western anchorage',
    prefix: 'KC',
  },
  FIHEL: {
    perDay: { cargo: 5, ferry: 8 },
    berthHours: 14,
    berths: always(5),
    anchorage: 'Helsinki roads',
    prefix: 'VUO',
  },
};

/** The simulation begins, without vessels, this long before its first day. */
const WARM_UP_MS = 21 * DAY_MS;
const BERTH_HOURS_SPREAD = 0.45;
const FERRY_HOURS = [2, 3] as const;
const FERRY_BERTHS = 7;
const FAIRWAY_HOURS = [0.7, 1.6] as const;
/** Number of vessels that call in turn. */
const FLEET_SIZE = 700;
/** The class of a cargo vessel, by the last digit of its number. */
const FLEET: readonly VesselClass[] = [
  ...Array<VesselClass>(5).fill('container'),
  ...Array<VesselClass>(2).fill('bulk'),
  ...Array<VesselClass>(2).fill('tanker'),
  'other',
];

/** A call from its arrival to its departure. */
export interface SimulatedCall extends CallRecord {
  readonly ataAt: Instant;
  readonly atdAt: Instant;
  /** Oldest first, without a gap. */
  readonly stops: readonly (CallRecord['stops'][number] & {
    readonly ataAt: Instant;
    readonly atdAt: Instant;
  })[];
}

const hours = (random: RandomStream, [least, most]: readonly [number, number]): number =>
  uniform(random, least, most) * HOUR_MS;

/** The first instant from `at` on at which a berth works; berths are counted from 0. */
function worksFrom(berths: readonly BerthsAtWork[], berth: number, beganAt: Instant, at: Instant): Instant {
  if (at < beganAt || berths.every((step) => berth < step.berths)) return at;
  const cycleAt = beganAt + Math.floor((at - beganAt) / CYCLE_MS) * CYCLE_MS;
  const current = berths.findLast((step) => cycleAt + step.fromDay * DAY_MS <= at);
  if (current === undefined || berth < current.berths) return at;
  for (const startAt of [cycleAt, cycleAt + CYCLE_MS])
    for (const step of berths) {
      const fromAt = startAt + step.fromDay * DAY_MS;
      if (fromAt > at && berth < step.berths) return fromAt;
    }
  return Number.POSITIVE_INFINITY;
}

/** The berth that is free first for a cargo vessel; `freeAt` states until when each is taken. */
function findBerth({ berths }: PortProfile, beganAt: Instant, freeAt: readonly Instant[], ataAt: Instant) {
  const starts = freeAt.map((at, berth) => worksFrom(berths, berth, beganAt, Math.max(at, ataAt)));
  const startAt = Math.min(...starts);
  return { startAt: wholeSecond(startAt), berth: starts.indexOf(startAt) };
}

/** The arrivals of a Poisson process from the warm-up to `toAt`, at whole seconds. */
function* arrivals(random: RandomStream, perDay: number, { beganAt, toAt }: Simulation): Generator<Instant> {
  let at = beganAt - WARM_UP_MS;
  while (perDay > 0) {
    at = wholeSecond(at + SECOND_MS + exponential(random, DAY_MS / perDay));
    if (at >= toAt) return;
    yield at;
  }
}

/** Vessels of one kind of traffic call in turn. All random numbers of a call are drawn when its vessel arrives. */
function simulateTraffic(
  port: Locode,
  profile: PortProfile,
  traffic: SimulatedTraffic,
  simulation: Simulation,
) {
  const { seed, beganAt } = simulation;
  const random = randomStream(seed, port, traffic, beganAt);
  const isFerry = traffic === 'ferry';
  const freeAt = Array<Instant>(Math.max(...profile.berths.map((step) => step.berths))).fill(0);
  const calls: SimulatedCall[] = [];
  for (const ataAt of arrivals(random, profile.perDay[traffic], simulation)) {
    const fairwayMs = hours(random, FAIRWAY_HOURS);
    const berthMs = isFerry
      ? hours(random, FERRY_HOURS)
      : Math.max(1, logNormal(random, profile.berthHours, BERTH_HOURS_SPREAD)) * HOUR_MS;
    const { startAt, berth } = isFerry
      ? { startAt: ataAt, berth: calls.length % FERRY_BERTHS }
      : findBerth(profile, beganAt, freeAt, ataAt);
    const atbAt = wholeSecond(startAt + fairwayMs);
    const atdAt = wholeSecond(atbAt + berthMs);
    freeAt[berth] = atdAt;
    const vessel = String(calls.length % FLEET_SIZE).padStart(4, '0');
    const wait = { zone: 'anchorage', place: profile.anchorage, ataAt, atdAt: startAt } as const;
    const place = `${profile.prefix}${isFerry ? ' ferry' : ''} ${berth + 1}`;
    calls.push({
      callId: `${port}-${traffic}-${formatInstant(ataAt).replaceAll(/[-:]/g, '')}`,
      vesselId: `SIM-${port}-${traffic}-${vessel}`,
      traffic,
      ...(!isFerry && { vesselClass: FLEET[Number(vessel.at(-1))] ?? 'other' }),
      recordedAt: atdAt,
      ataAt,
      atdAt,
      stops: [
        ...(startAt > ataAt ? [wait] : []),
        { zone: 'moving', place: 'Fairway', ataAt: startAt, atdAt: atbAt },
        { zone: 'berth', place, ataAt: atbAt, atdAt },
      ],
    });
  }
  return calls;
}

interface Simulation {
  /** First instant of the simulation. */
  readonly beganAt: Instant;
  readonly toAt: Instant;
  readonly seed: number;
}

/** Every call in `port` at some time of `[beganAt, toAt)`, to its end, in whole seconds. A later `toAt` changes none. */
export function simulateCalls(port: Locode, simulation: Simulation): SimulatedCall[] {
  const profile = PROFILES[port];
  if (profile === undefined) throw new RangeError(`${port} is not a simulated port`);
  return (['cargo', 'ferry'] as const)
    .flatMap((traffic) => simulateTraffic(port, profile, traffic, simulation))
    .filter(({ atdAt }) => atdAt > simulation.beganAt);
}

const eventTimes = ({ stops, atdAt }: SimulatedCall): readonly Instant[] => [
  ...stops.map((stop) => stop.ataAt),
  atdAt,
];

/** Whether the call has an event in (`fromAt`, `toAt`]. */
const changedIn = (call: SimulatedCall, fromAt: Instant, toAt: Instant): boolean =>
  eventTimes(call).some((at) => fromAt < at && at <= toAt);

/** The call as an upstream would publish it at `at`: its events up to then. Undefined before the vessel has arrived. */
function recordAt(call: SimulatedCall, at: Instant): CallRecord | undefined {
  const recordedAt = eventTimes(call).findLast((eventAt) => eventAt <= at);
  if (recordedAt === undefined) return undefined;
  const { atdAt, ...open } = call;
  return {
    ...open,
    recordedAt,
    ...(atdAt <= at ? { atdAt } : {}),
    stops: call.stops
      .filter((stop) => stop.ataAt <= at)
      .map(({ atdAt: endAt, ...stop }) => (endAt <= at ? { ...stop, atdAt: endAt } : stop)),
  };
}

interface SampleOptions {
  readonly seed: number;
  /** Undefined while nothing is fetched. The world begins on it, so the caller stores it for the life of the data folder. */
  readonly firstDay: () => Promise<Day | undefined>;
}

/** Whole days of history that a new data folder begins with. */
export const HISTORY_DAYS = 139;

/** One port's batch of `day`, as of the end of the day or `now`, whichever comes first; the first has the vessels in port too. */
function dayBatch(
  port: Locode,
  calls: readonly SimulatedCall[],
  day: Day,
  isFirst: boolean,
  now: Instant,
): CallsObservation {
  const [fromAt, toAt] = [startOfDay(day), Math.min(endOfDay(day), now)];
  const records = calls
    .filter((call) => changedIn(call, isFirst ? 0 : fromAt, toAt))
    .flatMap((call) => recordAt(call, toAt) ?? []);
  return { kind: 'call-batch', port, observedAt: toAt, coveredFromAt: fromAt, records };
}

export const createSampleSource = ({ seed, firstDay }: SampleOptions): Source => ({
  declaration: SAMPLE_DECLARATION,
  /**
   * The calls of every port and day from the day of the last fetch, or the first day of the simulation, and the import values
   * published since. Throws `UpstreamFailure` when the clock is before the first day.
   */
  async fetch({ now, lastFetchAt }) {
    const nowAt = wholeSecond(now());
    const first = (await firstDay()) ?? addDays(dayOf(nowAt), -HISTORY_DAYS);
    const beganAt = startOfDay(first);
    if (nowAt < beganAt)
      throw new UpstreamFailure(
        'before-world',
        `the simulation of this data folder begins on ${first}, after ${formatInstant(nowAt)}`,
      );
    const fromDay = dayOf(Math.max(beganAt, Math.min(lastFetchAt ?? beganAt, nowAt)));
    const files = new Map<string, Uint8Array>();
    const write = (name: string, report: CallsObservation | TradeObservation): void =>
      void files.set(name, new TextEncoder().encode(JSON.stringify(report)));
    for (const port of SAMPLE_DECLARATION.ports) {
      const calls = simulateCalls(port, { beganAt, toAt: nowAt, seed });
      for (const day of daysBetween(fromDay, dayOf(nowAt)))
        write(`calls-${port}-${day}.json`, dayBatch(port, calls, day, day === first, nowAt));
    }
    const imports = importReport(lastFetchAt, nowAt, seed);
    if (imports !== undefined) write('imports.json', imports);
    return files;
  },
  /** The files are reports as this source has written them, in time order. */
  parse({ files }) {
    const observations = [...files.values()]
      .map((bytes) => JSON.parse(new TextDecoder().decode(bytes)) as CallsObservation | TradeObservation)
      .sort((a, b) => a.observedAt - b.observedAt);
    const newest = observations.at(-1);
    if (!newest) throw new RefusedReply('empty', 'the fetch has no file');
    return { asOfAt: newest.observedAt, observations, refusals: new Refusals(), lists: [] };
  },
});
