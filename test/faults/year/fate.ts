/** The faults of the simulated year, drawn from its seed: how often, and the long outages. */
import { DAY_MS, type Instant, type Interval, MINUTE_MS } from '../../../core/reference/time.ts';
import { type RandomStream, randomStream, uniform } from '../../../core/sources/sample-simulator/random.ts';
import type { TableFault } from '../../builders/faulty-table.ts';
import type { ArchiveFault, Mishap } from './process.ts';
import type { Turn } from './upstream.ts';

/** Shares of all passes, or of all ticks. */
const MISSED = 0.01;
const STORE_FAULT = 0.04;
const KILLED = 0.01;
const ARCHIVE_FAULT = 0.006;
const TWO_AT_ONCE = 0.03;
const RESTARTED = 0.005;
const CLOCK_JUMPS = 0.004;
const CLOCK_MENDED = 0.08;
const OUTAGE = 0.002;
const CLOSE_LOOK = 0.03;

const TURNS: readonly (readonly [Turn, number])[] = [
  ['late', 0.02],
  ['repeated', 0.02],
  ['garbage', 0.015],
  ['down', 0.02],
  ['busy', 0.004],
  ['no-list', 0.008],
  ['half-list', 0.008],
];
const FAULTS: readonly TableFault[] = ['refused', 'unanswered', 'cut-short'];
/** A pass makes about this many calls to the store. */
const CALLS = 22;

/** Long outages: the store for one day, and one upstream for up to thirty. */
export interface LongOutages {
  readonly store: Interval;
  readonly upstream: Interval;
}

export function longOutages(beganAt: Instant, days: number): LongOutages {
  const upstreamDays = Math.min(30, days * 0.12);
  const storeAt = beganAt + Math.floor(days * 0.3) * DAY_MS + 7 * 60 * MINUTE_MS;
  const upstreamAt = beganAt + days * 0.45 * DAY_MS;
  return {
    store: { fromAt: storeAt, toAt: storeAt + DAY_MS },
    upstream: { fromAt: upstreamAt, toAt: upstreamAt + upstreamDays * DAY_MS },
  };
}

export class Fate {
  readonly #random: RandomStream;
  readonly #downUntil = new Map<string, Instant>();

  constructor(seed: number) {
    this.#random = randomStream('fate', seed);
  }

  #befalls(share: number): boolean {
    return this.#random() < share;
  }

  #pick<T>(of: readonly T[]): T | undefined {
    return of[Math.floor(this.#random() * of.length)];
  }

  /** Minutes by which a tick is early or late. */
  jitterMs(): number {
    return uniform(this.#random, -2, 2) * MINUTE_MS;
  }

  isMissed = (): boolean => this.#befalls(MISSED);
  isRestarted = (): boolean => this.#befalls(RESTARTED);
  areTwoAtOnce = (): boolean => this.#befalls(TWO_AT_ONCE);
  isLookedAtClosely = (): boolean => this.#befalls(CLOSE_LOOK);
  keepsName = (): boolean => this.#befalls(0.5);

  /** The machine's clock error of the next tick. */
  clockErrorMs(errorMs: number): number {
    if (errorMs !== 0) return this.#befalls(CLOCK_MENDED) ? 0 : errorMs;
    return this.#befalls(CLOCK_JUMPS) ? uniform(this.#random, -30, 30) * MINUTE_MS : 0;
  }

  rivalOffsetMs = (): number => uniform(this.#random, -2, 2) * MINUTE_MS;

  turnOf(source: string, nowAt: Instant): Turn {
    if ((this.#downUntil.get(source) ?? 0) > nowAt) return 'down';
    if (this.#befalls(OUTAGE)) {
      this.#downUntil.set(source, nowAt + uniform(this.#random, 1, 20) * 60 * MINUTE_MS);
      return 'down';
    }
    let draw = this.#random();
    for (const [turn, share] of TURNS) {
      if (draw < share) return turn;
      draw -= share;
    }
    return 'good';
  }

  mishap(): Mishap | undefined {
    const kills = this.#befalls(KILLED);
    if (!kills && !this.#befalls(STORE_FAULT)) return undefined;
    const atCall = 1 + Math.floor(this.#random() * CALLS);
    return { atCall, kills, fault: this.#pick(FAULTS) ?? 'refused' };
  }

  archiveFault(): ArchiveFault {
    return this.#befalls(ARCHIVE_FAULT)
      ? (this.#pick(['refused', 'cut-off'] as const) ?? 'refused')
      : undefined;
  }

  /** A random stream for the order in which calls of parallel processes take turns. */
  turns(): RandomStream {
    return randomStream('turns', this.#random());
  }
}
