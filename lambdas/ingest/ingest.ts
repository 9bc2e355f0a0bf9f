/** The ingest function: one pass of one source, or a step of a back-fill. */
import * as z from 'zod/mini';
import {
  addDays,
  type Clock,
  type Day,
  dayOf,
  formatInstant,
  parseInstant,
  startOfDay,
} from '../../core/reference/time.ts';
import type { Source } from '../../core/sources/source.ts';
import type { HistoryRequest } from './history.ts';
import { type Partition, partitionsOf } from './partitions.ts';
import type { PassOutcome, PassRequest } from './pass.ts';

const instant = z.pipe(
  z.string().check(z.refine((text) => typeof text === 'string' && parseInstant(text) !== undefined)),
  z.transform((text: string): number => parseInstant(text) ?? 0),
);

const isDay = (text: unknown): boolean =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOfDay(text));
const day = z.string().check(z.refine(isDay));
const span = { from: z.optional(day), to: z.optional(day) };

const partition = z.object({ source: z.string(), ...span, until: z.optional(instant) });

const planEvent = z.object({
  backFill: z.literal('plan'),
  request: z.object({ source: z.optional(z.string()), ...span, until: z.optional(z.string()) }),
});
const walkEvent = z.object({ backFill: z.literal('walk'), partition });
/** `ask` false: apply what the archive holds and leave the upstream alone. */
const passEvent = z.object({ source: z.string(), ask: z.optional(z.boolean()) });
/** What starts the function: a schedule, a person, or the back-fill's state machine. */
const ingestEvent = z.union([planEvent, walkEvent, passEvent]);

export type IngestReply =
  | { readonly partitions: readonly Partition[] }
  | (Partition & { readonly done: boolean })
  | PassOutcome;

export interface IngestFunctionParts {
  readonly sources: readonly Source[];
  readonly pass: (source: Source, request: PassRequest) => Promise<PassOutcome>;
  /** Brings past fetches into the archive; the day to go on from, undefined when all are there. */
  readonly history: (source: Source, request: HistoryRequest) => Promise<Day | undefined>;
  readonly record: (outcome: PassOutcome, nowAt: number) => void;
  readonly now: Clock;
}

/** Time that a step of a back-fill leaves unused, so that its last fetch can come to an end. */
const RESERVE_MS = 2 * 60_000;

interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** Throws on an event of another shape, on an unknown source, and when the store fails: the pass is then tried anew. */
export function createIngest(parts: IngestFunctionParts) {
  const sourceOf = (id: string): Source => {
    const source = parts.sources.find(({ declaration }) => declaration.id === id);
    if (source === undefined) throw new Error(`there is no source ${id}`);
    return source;
  };

  function plan({ source, from, to, until }: z.output<typeof planEvent>['request']): IngestReply {
    const sources = source === undefined ? parts.sources : [sourceOf(source)];
    const yesterday = addDays(dayOf(parts.now()), -1);
    return {
      partitions: partitionsOf(sources, {
        ...(from === undefined ? {} : { from, to: to ?? yesterday }),
        ...(until === undefined ? {} : { until }),
      }),
    };
  }

  async function pass(id: string, request: PassRequest): Promise<PassOutcome> {
    const outcome = await parts.pass(sourceOf(id), request);
    parts.record(outcome, parts.now());
    return outcome;
  }

  /** One step of a partition: its past first, then what the archive holds. */
  async function walk(step: z.output<typeof partition>, outOfTime: () => boolean): Promise<IngestReply> {
    const { source: id, from, to, until: untilAt } = step;
    const rest = { source: id, ...(untilAt === undefined ? {} : { until: formatInstant(untilAt) }) };
    if (from !== undefined && to !== undefined) {
      const request = { fromDay: from, toDay: to, outOfTime, keepLease: true };
      const next = await parts.history(sourceOf(id), request);
      return { ...rest, ...(next === undefined ? {} : { from: next, to }), done: false };
    }
    const until = untilAt === undefined ? {} : { untilAt };
    const { state, unfinished } = await pass(id, { ask: false, outOfTime, ...until });
    if (state === 'busy') throw new Error(`another pass holds ${id}`);
    return { ...rest, done: !unfinished };
  }

  return async (event: unknown, invocation: Invocation): Promise<IngestReply> => {
    const asked = ingestEvent.parse(event);
    const outOfTime = () => invocation.getRemainingTimeInMillis() < RESERVE_MS;
    if (!('backFill' in asked)) return pass(asked.source, { ask: asked.ask ?? true, outOfTime });
    return asked.backFill === 'plan' ? plan(asked.request) : walk(asked.partition, outOfTime);
  };
}
