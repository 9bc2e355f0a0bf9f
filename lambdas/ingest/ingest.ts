/** The ingest function: one pass of one source, or a step of a back-fill. */
import type { Context } from 'aws-lambda';
import * as z from 'zod/mini';
import { type BackFill, createBackFill } from '../../core/ingest/back-fill.ts';
import type { IngestDependencies } from '../../core/ingest/dependencies.ts';
import { createPass, createPassRecorder, type Pass, type PassOutcome } from '../../core/ingest/pass.ts';
import { addDays, type Clock, dayOf, type Instant, isDay, parseInstant } from '../../core/reference/time.ts';
import type { Source } from '../../core/upstream/source.ts';
import type { StoreWiring } from '../wiring.ts';

const instant = z.string().check(z.refine((text: string) => parseInstant(text) !== undefined));

const day = z.string().check(z.refine((text: string) => isDay(text)));

/** `from`, `to`: days of history to fetch first. Fetches before `since` and after `until` are not applied. */
const request = z.object({
  source: z.string(),
  from: z.optional(day),
  to: z.optional(day),
  since: z.optional(instant),
  until: z.optional(instant),
});
const loadEvent = z.object({ backFill: z.literal('load'), request });
const applyEvent = z.object({ backFill: z.literal('apply'), request });
/** `ask` false: apply the archive, up to `until`, and do not fetch from the upstream. */
const passEvent = z.object({
  source: z.string(),
  ask: z.optional(z.boolean()),
  until: z.optional(instant),
});
/** Sent by a schedule, by an operator, or by the back-fill's state machine. */
const ingestEvent = z.union([loadEvent, applyEvent, passEvent]);

interface IngestFunctionDependencies {
  readonly sources: readonly Source[];
  readonly pass: Pass;
  readonly backFill: BackFill;
  readonly record: (outcome: PassOutcome, nowAt: number) => void;
  readonly now: Clock;
}

const toInstant = (text: string | undefined): Instant | undefined =>
  text === undefined ? undefined : parseInstant(text);

/** Time that a step of a back-fill leaves unused, so that its last fetch can finish. */
const RESERVE_MS = 2 * 60_000;

/**
 * The result of a step of a back-fill is also the event that continues it, until its `done`; that of the first is also the event of
 * the second. Throws on a malformed event, on an unknown source, and when the store fails; the invocation is then retried.
 */
export function createIngest({ sources, pass, backFill, record, now }: IngestFunctionDependencies) {
  const findSource = (id: string): Source => {
    const source = sources.find(({ declaration }) => declaration.id === id);
    if (source === undefined) throw new Error(`there is no source ${id}`);
    return source;
  };

  async function load(request: z.output<typeof loadEvent>['request'], outOfTime: () => boolean) {
    const { source, from, to = addDays(dayOf(now()), -1) } = request;
    const history = from === undefined ? undefined : { fromDay: from, toDay: to };
    const nextDay = await backFill.load(findSource(source), { history, outOfTime });
    return { ...request, ...(nextDay !== undefined && { from: nextDay, to }), done: nextDay === undefined };
  }

  async function apply(request: z.output<typeof applyEvent>['request'], outOfTime: () => boolean) {
    const { source, since, until } = request;
    const span = { sinceAt: toInstant(since), untilAt: toInstant(until) };
    const outcome = await backFill.apply(findSource(source), { ...span, outOfTime });
    record({ ...outcome, status: undefined }, now());
    return { ...request, done: !outcome.unfinished };
  }

  return async (event: unknown, invocation: Pick<Context, 'getRemainingTimeInMillis'>) => {
    const parsed = ingestEvent.parse(event);
    const outOfTime = () => invocation.getRemainingTimeInMillis() < RESERVE_MS;
    if (!('backFill' in parsed)) {
      const { source, ask = true, until } = parsed;
      const outcome = await pass(findSource(source), { ask, untilAt: toInstant(until), outOfTime });
      record(outcome, now());
      return outcome;
    }
    return parsed.backFill === 'load' ? load(parsed.request, outOfTime) : apply(parsed.request, outOfTime);
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
