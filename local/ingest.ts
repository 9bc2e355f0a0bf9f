/** The ingest on one machine: its sources, the first pass over them, their schedules, and what becomes of a pass that fails. */
import { appendFileSync } from 'node:fs';
import timers from 'node:timers/promises';
import type { IngestDependencies } from '../core/ingest/dependencies.ts';
import type { PassOutcome } from '../core/ingest/pass.ts';
import { type Clock, formatInstant, type Instant, MINUTE_MS, SECOND_MS } from '../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import type { Source } from '../core/upstream/source.ts';
import { diskFault } from './disk-fault.ts';
import type { Progress } from './progress.ts';
import { errorText } from './start-error.ts';

/** What is ingested on this machine instead of the sources of a deployment. */
export interface LocalIngest {
  readonly sources: readonly string[];
  /** The event of one scheduled pass; `{ source }` without it, as deployed. */
  readonly eventOf?: (source: string) => unknown;
  /** Sources in place of the deployed ones. */
  readonly load?: (dependencies: IngestDependencies) => readonly Source[];
  /** More variables, for the ingest only: the keys of upstreams. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Calls the ingest function as the Lambda service does. Rejects with what it threw, or when it takes too long. */
export type Invoke = (event: unknown) => Promise<unknown>;

/** One invocation of the ingest function. */
export interface IngestStep {
  readonly event: { readonly source: string; readonly ask?: false; readonly until?: string };
  /** Recorded fetches that it applies; 1 for a pass that fetches. */
  readonly fetches: number;
}

// The first pass, step by step: a source that fails is reported and does not stop the others.

/** What the ingest function returns of a pass; a step of a back-fill returns none of it. */
type StepReply = Partial<PassOutcome>;

/** `hk-marine-department 2025-08-18T12:30:00Z: 240 records changed`; undefined when there is nothing to say. */
function outcomeLine(
  label: string,
  { state, detail, changedRecords, refusals }: StepReply,
): string | undefined {
  if (state === undefined) return undefined;
  if (state !== 'ok') return `${label}: ${state}${detail === undefined ? '' : `, ${detail}`}`;
  const refused = refusals !== undefined && refusals.count > 0 ? `, ${refusals.count} refused` : '';
  return `${label}: ${changedRecords} records changed${refused}`;
}

/** Calls the function until it has finished the step, or `ended` says to stop. */
async function finish(ingest: Invoke, event: unknown, ended: () => boolean): Promise<StepReply> {
  for (;;) {
    const reply = ((await ingest(event)) ?? {}) as StepReply;
    if (reply.unfinished !== true || ended()) return reply;
  }
}

const isFailed = ({ state }: StepReply): boolean => state === 'failed' || state === 'paused';

/** Runs the steps one after the other, until `ended` says to stop. Returns the sources that failed, and until when each is paused. */
export async function runSteps(
  steps: readonly IngestStep[],
  ingest: Invoke,
  progress: Progress,
  ended: () => boolean,
): Promise<Map<string, Instant>> {
  const failed = new Map<string, Instant>();
  const report = (line: string | undefined): void => {
    if (line !== undefined && !ended()) progress.line(line);
  };
  let done = 0;
  progress.begin(
    'ingesting',
    steps.reduce((total, { fetches }) => total + fetches, 0),
  );
  for (const { event, fetches } of steps) {
    const { source, until } = event;
    const label = until === undefined ? source : `${source} ${until}`;
    const before = done;
    done += fetches;
    if (ended()) break;
    if (failed.has(source)) continue;
    progress.step(before, label);
    try {
      const reply = await finish(ingest, event, ended);
      if (isFailed(reply)) failed.set(source, reply.status?.pausedUntilAt ?? 0);
      report(outcomeLine(label, reply));
    } catch (thrown) {
      failed.set(source, 0);
      report(`${source} failed: ${errorText(thrown)}`);
    }
    progress.step(done, label);
  }
  return failed;
}

// Schedules: rates of minutes, as the template has them; a run that is due while the previous one is still running is skipped.

export interface Schedule {
  readonly source: string;
  readonly periodMs: number;
  readonly event: unknown;
}

/** A schedule for each source: its own, of a source that is not declared the most frequent. */
export function schedulesOf({ sources, eventOf }: LocalIngest): Schedule[] {
  const declarations = [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION];
  const shortest = Math.min(...SOURCE_DECLARATIONS.map(({ everyMinutes }) => everyMinutes));
  return sources.map((source) => {
    const minutes = declarations.find(({ id }) => id === source)?.everyMinutes ?? shortest;
    return { source, periodMs: minutes * MINUTE_MS, event: eventOf?.(source) ?? { source } };
  });
}

/** A source whose first pass failed is tried again after this, then after twice as long each time, until its own period is shorter. */
const FIRST_RETRY_MS = 2 * MINUTE_MS;

/** When a source that failed is tried again, in milliseconds from `nowAt`: soon, but not before the end of its pause. */
const retryDelay = ({ periodMs }: Schedule, nowAt: Instant, pausedUntilAt: Instant, tries = 0): number =>
  Math.max(Math.min(periodMs, FIRST_RETRY_MS * 2 ** tries), pausedUntilAt - nowAt);

/** Lines that say which of the `total` sources failed, and when each is tried again. */
export function failureLines(
  failed: ReadonlyMap<string, Instant>,
  total: number,
  schedules: readonly Schedule[],
  nowAt: Instant,
): string[] {
  if (failed.size === 0) return [];
  const lines = Array.from(failed, ([source, pausedUntilAt]) => {
    const schedule = schedules.find((known) => known.source === source);
    const next = schedule && formatInstant(nowAt + retryDelay(schedule, nowAt, pausedUntilAt));
    return `  ${source}: ${next === undefined ? 'not tried again' : `tried again at ${next}`}`;
  });
  return [`${failed.size} of ${total} sources failed in the first pass:`, ...lines];
}

interface SchedulerOptions {
  /** Sources whose first pass failed, and until when each is paused. */
  readonly failed?: ReadonlyMap<string, Instant>;
  /** The service's clock. */
  readonly now: Clock;
  /** Resolves with what the function returned when a run is over, undefined after a failure. */
  readonly run: (event: unknown) => Promise<unknown>;
  readonly report: (line: string) => void;
}

/** Runs each schedule after every period, first after one, or sooner where the first pass failed; missed runs are not made up. */
export function startScheduler(
  schedules: readonly Schedule[],
  { failed = new Map(), now, run, report }: SchedulerOptions,
) {
  const running = new Map<Schedule, Promise<unknown>>();
  const timers = new Set<NodeJS.Timeout>();
  const start = (schedule: Schedule): Promise<unknown> => {
    const { source, event } = schedule;
    const before = running.get(schedule);
    if (before !== undefined) {
      report(`${source}: still running, this run is skipped`);
      return before;
    }
    const ended = run(event).finally(() => running.delete(schedule));
    running.set(schedule, ended);
    return ended;
  };
  const retry = (schedule: Schedule, pausedUntilAt: Instant, tries: number): void => {
    const delayMs = retryDelay(schedule, now(), pausedUntilAt, tries);
    // Its own schedule is next.
    if (delayMs >= schedule.periodMs) return;
    const timer = setTimeout(async () => {
      timers.delete(timer);
      const reply = (await start(schedule)) as StepReply | undefined;
      if (reply === undefined || isFailed(reply))
        retry(schedule, reply?.status?.pausedUntilAt ?? 0, tries + 1);
    }, delayMs);
    timers.add(timer);
  };
  for (const schedule of schedules) {
    timers.add(setInterval(start, schedule.periodMs, schedule));
    const pausedUntilAt = failed.get(schedule.source);
    if (pausedUntilAt !== undefined) retry(schedule, pausedUntilAt, 0);
  }
  return {
    /** Starts no further run. Resolves when the current ones are over. */
    async stop(): Promise<void> {
      for (const timer of timers) clearTimeout(timer);
      await Promise.all(running.values());
    },
  };
}

// Asynchronous invocation, as Lambda's: events are queued, failures are retried, and then become dead letters.

export interface AsynchronousOptions {
  /** Name of the function. */
  readonly name: string;
  readonly retryAttempts: number;
  readonly eventAgeMs: number;
  /** The wall clock. */
  readonly now: Clock;
  /** Aborted when the service stops: there are no retries after that. */
  readonly signal: AbortSignal;
  /** File for events that failed permanently, one per line; none when undefined. */
  readonly deadLetterFile: string | undefined;
  readonly report: (line: string) => void;
}

/** How the ingest's events are retried, and how old they may become, as `lib/ingest-stack.ts` declares it. */
export const INGEST_EVENTS = {
  retryAttempts: 1,
  eventAgeMs: Math.min(...SOURCE_DECLARATIONS.map(({ everyMinutes }) => everyMinutes)) * MINUTE_MS,
} as const;

/** Lambda waits one minute before the second attempt and two before the third. */
const DELAYS_MS = [60_000, 120_000];

/** Processes events one after the other. Resolves with the result, or undefined once the event is a dead letter; it never rejects. */
export function createAsynchronous(
  invoke: Invoke,
  { name, retryAttempts, eventAgeMs, now, signal, deadLetterFile, report }: AsynchronousOptions,
): (event: unknown) => Promise<unknown> {
  let last: Promise<unknown> = Promise.resolve();

  const putAside = (event: unknown, attempts: number, reason: string): void => {
    if (deadLetterFile === undefined) return;
    try {
      const letter = { at: now(), functionName: name, event, attempts, reason };
      appendFileSync(deadLetterFile, `${JSON.stringify(letter)}\n`);
    } catch (thrown) {
      report(`the dead letter of ${name} is not in ${deadLetterFile}: ${diskFault(thrown)}`);
    }
  };

  const run = async (event: unknown): Promise<unknown> => {
    const acceptedAt = now();
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      try {
        return await invoke(event);
      } catch (thrown) {
        const reason = errorText(thrown);
        const delayMs = DELAYS_MS[Math.min(attempt, DELAYS_MS.length) - 1] ?? 0;
        const tooLate = now() + delayMs - acceptedAt > eventAgeMs;
        if (attempt > retryAttempts || tooLate) {
          report(`${name} failed permanently after ${attempt} attempts: ${reason}`);
          putAside(event, attempt, reason);
          return undefined;
        }
        report(`${name} failed, retry in ${delayMs / SECOND_MS} s: ${reason}`);
        await timers.setTimeout(delayMs, undefined, { ref: false, signal }).catch(() => undefined);
      }
    }
    return undefined;
  };

  return (event) => {
    last = last.then(() => run(event));
    return last;
  };
}
