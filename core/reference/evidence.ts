/**
 * What the data of a source and its ports rest on, by the rule of docs/methodology.md. `npm run openapi` makes `evidence.json` from the
 * declarations, the recordings and the list of replies that tests read elsewhere.
 */
import type { Locode } from './codes.ts';
import bySource from './evidence.json' with { type: 'json' };
import { type Instant, MINUTE_MS } from './time.ts';

/** Strongest first. `simulated` data and data `given` in a table of calls are never anything else. */
export const EVIDENCE = ['observed', 'recorded', 'given', 'read', 'expected', 'simulated'] as const;
export type Evidence = (typeof EVIDENCE)[number];

export interface KnownSource {
  /** Its evidence unless this deployment has fetched it within its freshness budget. */
  readonly evidence: Exclude<Evidence, 'observed'>;
  /** The ports that the replies behind `recorded` or `read` are about. */
  readonly ports?: readonly Locode[];
  readonly freshnessBudgetMinutes: number;
  /** True if it shows only the present: an old observation of a port then means that newer replies lacked the port. */
  readonly present?: boolean;
}

/** Times of the newest good fetches of this deployment, by source. */
export type FetchTimes = ReadonlyMap<string, Instant>;

/** Used for recorded replies, which this deployment has not fetched. */
export const NO_FETCHES: FetchTimes = new Map();

const KNOWN = new Map<string, KnownSource>(Object.entries(bySource as Record<string, KnownSource>));

/** A source without an entry: only its published format is known. */
const UNKNOWN: KnownSource = { evidence: 'expected', freshnessBudgetMinutes: Number.NEGATIVE_INFINITY };

export const knownSource = (source: string): KnownSource => KNOWN.get(source) ?? UNKNOWN;

const isWithin = ({ freshnessBudgetMinutes }: KnownSource, at: Instant | undefined, now: Instant): boolean =>
  at !== undefined && now - at <= freshnessBudgetMinutes * MINUTE_MS;

export function sourceEvidence(source: string, fetched: FetchTimes, now: Instant): Evidence {
  const known = knownSource(source);
  if (known.evidence === 'simulated' || known.evidence === 'given') return known.evidence;
  return isWithin(known, fetched.get(source), now) ? 'observed' : known.evidence;
}

/** Returns the strongest evidence of the port's sources. `asOfAt` is its newest observation, undefined before the first. */
export function portEvidence(
  sources: readonly string[],
  asOfAt: Instant | undefined,
  fetched: FetchTimes,
  now: Instant,
): Evidence {
  const each = sources.map((source) => {
    const known = knownSource(source);
    const seen = asOfAt !== undefined && (known.present !== true || isWithin(known, asOfAt, now));
    return seen ? sourceEvidence(source, fetched, now) : known.evidence;
  });
  return EVIDENCE.find((evidence) => each.includes(evidence)) ?? 'expected';
}

const withinUntil = (
  { freshnessBudgetMinutes }: KnownSource,
  at: Instant | undefined,
  now: Instant,
): Instant => {
  const until = (at ?? Number.NEGATIVE_INFINITY) + freshnessBudgetMinutes * MINUTE_MS;
  return until >= now ? until : Number.POSITIVE_INFINITY;
};

/** Returns the last instant at which the evidence is still that of `now`, if nothing is fetched. */
export const evidenceUntil = (
  sources: readonly string[],
  asOfAt: Instant | undefined,
  fetched: FetchTimes,
  now: Instant,
): Instant =>
  Math.min(
    ...sources.flatMap((source) => {
      const known = knownSource(source);
      return [withinUntil(known, fetched.get(source), now), withinUntil(known, asOfAt, now)];
    }),
  );
