/** The ingest function: one pass of one source, or a step of a back-fill. */
import * as z from 'zod/mini';
import type { BackFill } from '../../core/ingest/back-fill.ts';
import type { Partition } from '../../core/ingest/partitions.ts';
import type { PassOutcome, PassRequest } from '../../core/ingest/pass.ts';
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

const instant = z.pipe(
  z.string().check(z.refine((text) => typeof text === 'string' && parseInstant(text) !== undefined)),
  z.transform((text: string): number => parseInstant(text) ?? 0),
);

const isDay = (text: unknown): boolean =>
  typeof text === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(startOfDay(text));
const day = z.string().check(z.refine(isDay));

/** `from` and `to`: days whose past is brought in first; fetches before `since` and after `until` are left out. */
const openEvent = z.object({
  backFill: z.literal('open'),
  request: z.object({
    source: z.string(),
    from: z.optional(day),
    to: z.optional(day),
    since: z.optional(instant),
    until: z.optional(instant),
  }),
});
const walkEvent = z.object({
  backFill: z.literal('walk'),
  partition: z.object({
    source: z.string(),
    part: z.string(),
    since: z.optional(z.string()),
    until: z.optional(z.string()),
  }),
});
const closeEvent = z.object({ backFill: z.literal('close'), request: z.object({ source: z.string() }) });
/** `ask` false: apply what the archive holds, up to `until`, and leave the upstream alone. */
const passEvent = z.object({
  source: z.string(),
  ask: z.optional(z.boolean()),
  until: z.optional(instant),
});
/** What starts the function: a schedule, a person, or the back-fill's state machine. */
const ingestEvent = z.union([openEvent, walkEvent, closeEvent, passEvent]);

type OpenRequest = z.output<typeof openEvent>['request'];

/** What a step of a back-fill says; with `done` false it is the event of the step that goes on from there. */
interface Step {
  readonly source: string;
  readonly done: boolean;
}
export type IngestReply =
  | (Step & { readonly partitions: readonly Partition[]; readonly from?: Day; readonly to?: Day })
  | (Step & Partition)
  | Step
  | PassOutcome;

export interface IngestFunctionDependencies {
  readonly sources: readonly Source[];
  readonly pass: (source: Source, request: PassRequest) => Promise<PassOutcome>;
  readonly backFill: BackFill;
  readonly record: (outcome: PassOutcome, nowAt: number) => void;
  readonly now: Clock;
}

/** Time that a step of a back-fill leaves unused, so that its last fetch can come to an end. */
const RESERVE_MS = 2 * 60_000;

interface Invocation {
  getRemainingTimeInMillis(): number;
}

/** Throws on an event of another shape, on an unknown source, and when the store fails: the pass is then tried anew. */
export function createIngest({ sources, pass, backFill, record, now }: IngestFunctionDependencies) {
  const sourceOf = (id: string): Source => {
    const source = sources.find(({ declaration }) => declaration.id === id);
    if (source === undefined) throw new Error(`there is no source ${id}`);
    return source;
  };

  async function open(request: OpenRequest, outOfTime: () => boolean): Promise<IngestReply> {
    const { source: id, from, to = addDays(dayOf(now()), -1), since, until } = request;
    const span = {
      ...(since === undefined ? {} : { sinceAt: since }),
      ...(until === undefined ? {} : { untilAt: until }),
    };
    const history = from === undefined ? {} : { history: { fromDay: from, toDay: to } };
    const { nextDay, partitions } = await backFill.open(sourceOf(id), { ...history, ...span, outOfTime });
    const rest = {
      ...(since === undefined ? {} : { since: formatInstant(since) }),
      ...(until === undefined ? {} : { until: formatInstant(until) }),
    };
    if (nextDay !== undefined) return { source: id, from: nextDay, to, ...rest, partitions, done: false };
    return { source: id, ...rest, partitions, done: true };
  }

  async function walk(step: z.output<typeof walkEvent>['partition'], outOfTime: () => boolean) {
    const { source, part, since, until } = step;
    const partition: Partition = {
      source,
      part,
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
    };
    const outcome = await backFill.walk(sourceOf(source), partition, { outOfTime });
    // How old the data are that a partition has reached says nothing of the source.
    record({ ...outcome, status: undefined }, now());
    return { ...partition, done: !outcome.unfinished };
  }

  return async (event: unknown, invocation: Invocation): Promise<IngestReply> => {
    const asked = ingestEvent.parse(event);
    const outOfTime = () => invocation.getRemainingTimeInMillis() < RESERVE_MS;
    if (!('backFill' in asked)) {
      const { source, ask = true, until } = asked;
      const request = { ask, outOfTime, ...(until === undefined ? {} : { untilAt: until }) };
      const outcome = await pass(sourceOf(source), request);
      record(outcome, now());
      return outcome;
    }
    if (asked.backFill === 'open') return open(asked.request, outOfTime);
    if (asked.backFill === 'walk') return walk(asked.partition, outOfTime);
    await backFill.close(sourceOf(asked.request.source));
    return { source: asked.request.source, done: true };
  };
}
