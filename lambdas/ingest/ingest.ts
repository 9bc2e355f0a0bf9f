/** The ingest function: one pass of one source, or a step of a back-fill. */
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { type BackFill, createBackFill } from '../../core/ingest/back-fill.ts';
import type { IngestDependencies } from '../../core/ingest/dependencies.ts';
import { createPass, type Pass, type PassOutcome } from '../../core/ingest/pass.ts';
import { createPassRecorder } from '../../core/ingest/telemetry.ts';
import { addDays, type Clock, dayOf, formatInstant, isDay, parseInstant } from '../../core/reference/time.ts';
import type { Source } from '../../core/upstream/source.ts';
import type { StoreWiring } from '../wiring.ts';

const instant = z.pipe(
  z.string().check(z.refine((text) => typeof text === 'string' && parseInstant(text) !== undefined)),
  z.transform((text: string): number => parseInstant(text) ?? 0),
);

const day = z.string().check(z.refine((text: string) => isDay(text)));

/** `from`, `to`: days of history to fetch first. Fetches before `since` and after `until` are left out. */
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
    span: z.object({ since: z.optional(z.string()), until: z.optional(z.string()) }),
  }),
});
const closeEvent = z.object({ backFill: z.literal('close'), request: z.object({ source: z.string() }) });
/** `ask` false: apply the archive, up to `until`, and do not fetch from the upstream. */
const passEvent = z.object({
  source: z.string(),
  ask: z.optional(z.boolean()),
  until: z.optional(instant),
});
/** Sent by a schedule, by an operator, or by the back-fill's state machine. */
const ingestEvent = z.union([openEvent, walkEvent, closeEvent, passEvent]);

interface IngestFunctionDependencies {
  readonly sources: readonly Source[];
  readonly pass: Pass;
  readonly backFill: BackFill;
  readonly record: (outcome: PassOutcome, nowAt: number) => void;
  readonly now: Clock;
}

/** Time that a step of a back-fill leaves unused, so that its last fetch can finish. */
const RESERVE_MS = 2 * 60_000;

/**
 * The result of a step with `done` false is also the event that continues it. Throws on a malformed event, on an unknown
 * source, and when the store fails; the invocation is then retried.
 */
export function createIngest({ sources, pass, backFill, record, now }: IngestFunctionDependencies) {
  const findSource = (id: string): Source => {
    const source = sources.find(({ declaration }) => declaration.id === id);
    if (source === undefined) throw new Error(`there is no source ${id}`);
    return source;
  };

  async function open(request: z.output<typeof openEvent>['request'], outOfTime: () => boolean) {
    const { source, from, to = addDays(dayOf(now()), -1), since, until } = request;
    const { nextDay, partitions } = await backFill.open(findSource(source), {
      history: from === undefined ? undefined : { fromDay: from, toDay: to },
      sinceAt: since,
      untilAt: until,
      outOfTime,
    });
    return {
      source,
      ...(nextDay !== undefined && { from: nextDay, to }),
      since: since === undefined ? undefined : formatInstant(since),
      until: until === undefined ? undefined : formatInstant(until),
      // The state machine passes 256 kB on: enough for the names of 30,000 ports, not for as many partitions in full.
      parts: partitions.map(({ part }) => part),
      span: { since: partitions[0]?.since, until: partitions[0]?.until },
      done: nextDay === undefined,
    };
  }

  async function walk(partition: z.output<typeof walkEvent>['partition'], outOfTime: () => boolean) {
    const { source, part, span } = partition;
    const outcome = await backFill.walk(findSource(source), { source, part, ...span }, { outOfTime });
    // The age of a partition's data is not the age of the source's.
    record({ ...outcome, status: undefined }, now());
    return { ...partition, done: !outcome.unfinished };
  }

  return async (event: unknown, invocation: Pick<Context, 'getRemainingTimeInMillis'>) => {
    const request = ingestEvent.parse(event);
    const outOfTime = () => invocation.getRemainingTimeInMillis() < RESERVE_MS;
    if (!('backFill' in request)) {
      const { source, ask = true, until } = request;
      const outcome = await pass(findSource(source), { ask, untilAt: until, outOfTime });
      record(outcome, now());
      return outcome;
    }
    if (request.backFill === 'open') return open(request.request, outOfTime);
    if (request.backFill === 'walk') return walk(request.partition, outOfTime);
    const { source } = request.request;
    await backFill.close(findSource(source));
    return { source, done: true };
  };
}

/** The function over these sources. */
export const ingestFunction = (
  { log, now }: StoreWiring,
  dependencies: IngestDependencies,
  sources: readonly Source[],
) =>
  createIngest({
    sources,
    pass: createPass(dependencies),
    backFill: createBackFill(dependencies),
    record: createPassRecorder(log),
    now,
  });
