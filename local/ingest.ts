/** The ingest on one machine: its sources, the first pass over them, their schedules, and what becomes of a pass that fails. */
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import timers from 'node:timers/promises';
import { CONTACT_RULE, isContact } from '../core/contracts/contact.ts';
import { type ServiceStatus, STATUS_FILE } from '../core/contracts/published-files.ts';
import type { IngestDependencies } from '../core/ingest/dependencies.ts';
import type { PassOutcome } from '../core/ingest/pass.ts';
import { serviceStatus } from '../core/ingest/service-status.ts';
import { type Clock, formatInstant, type Instant, MINUTE_MS, SECOND_MS } from '../core/reference/time.ts';
import { EXCLUDED_FEEDS, excludedFeedsIn, SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import { fetchesAmong, isFetch, isNoteName } from '../core/store/raw-archive.ts';
import { createSourceStatusStore } from '../core/store/source-status.ts';
import type { Source, SourceDeclaration } from '../core/upstream/source.ts';
import type { StoreWiring } from '../lambdas/wiring.ts';
import { contentType, SECURITY_HEADERS } from '../portal/served-headers.ts';
import { errorCode, errorText, StartError } from './command-line.ts';
import { type Front, pathRead, sendBytes } from './gateway.ts';
import { diskFault } from './json-file.ts';
import type { Progress } from './ready-lines.ts';

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

// Lists the fetches of known sources in a folder of recorded replies, in order of time.

export type Replay = ReturnType<typeof readReplay>;

/** Files that people, file systems and the ingest put beside fetches. */
const isNote = (name: string): boolean =>
  name.startsWith('.') || isNoteName(name) || /^(readme|licen[cs]e|notice)\b/i.test(name);

/** A step of a replay applies at most this many fetches, so that its progress is visible. */
const FETCHES_A_STEP = 8;

/** The entries of a folder, by name; a link counts as what it leads to. */
function entriesIn(directory: string) {
  try {
    return readdirSync(directory)
      .sort()
      .map((name) => {
        const stats = statSync(join(directory, name), { throwIfNoEntry: false });
        return {
          name,
          isFile: () => stats?.isFile() === true,
          isDirectory: () => stats?.isDirectory() === true,
        };
      });
  } catch (thrown) {
    const missing = errorCode(thrown) === 'ENOENT';
    throw new StartError(
      missing ? `${directory}: no such folder` : `${directory} cannot be read: ${errorText(thrown)}`,
    );
  }
}

/** Fetches in order of time, grouped into steps of one source; a step's event only states up to when to apply them. */
function makeSteps(fetches: readonly { readonly source: string; readonly at: Instant }[]): IngestStep[] {
  const steps: IngestStep[] = [];
  for (const { source, at } of fetches) {
    const last = steps.at(-1);
    const joined = last?.event.source === source && last.fetches < FETCHES_A_STEP ? steps.pop() : undefined;
    const event = { source, ask: false, until: formatInstant(at) } as const;
    steps.push({ event, fetches: (joined?.fetches ?? 0) + 1 });
  }
  return steps;
}

/** Throws `StartError` when the folder cannot be read, or has no fetch of a known source up to `nowAt`. */
export function readReplay(folder: string, isKnown: (source: string) => boolean, nowAt?: Instant) {
  const directory = resolve(folder);
  const folders = entriesIn(directory)
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const found = folders
    .filter(isKnown)
    .map((source) => ({ source, entries: entriesIn(join(directory, source)) }));
  const fetches = found
    .flatMap(({ source, entries }) => {
      const names = entries.filter(isFetch).map(({ name }) => name);
      return fetchesAmong(names, undefined, nowAt ?? Number.MAX_SAFE_INTEGER).map((at) => ({ source, at }));
    })
    .sort((a, b) => a.at - b.at || (a.source < b.source ? -1 : 1));
  const newest = fetches.at(-1);
  if (!newest) throw new StartError(`${directory} has no recorded reply of a known source up to that time`);
  return {
    directory,
    /** Known sources that have fetches there, by name. */
    sources: [...new Set(fetches.map(({ source }) => source))].sort(),
    /** Folders that belong to no known source. */
    skipped: folders.filter((name) => !isKnown(name)),
    /** Files and folders of known sources that are not fetches, as `source/name`. */
    strays: found.flatMap(({ source, entries }) =>
      entries
        .filter((entry) => !isFetch(entry) && !isNote(entry.name))
        .map(({ name }) => `${source}/${name}`),
    ),
    nowAt: nowAt ?? newest.at + MINUTE_MS,
    steps: makeSteps(fetches),
  };
}

// What requests to the real upstreams take from the environment of a command: the publishers' keys, and a contact.

/** The variable with the contact that requests state in `User-Agent`, here and in the deployed functions. */
const CONTACT = 'CONTACT';

/** Throws `StartError` when the contact or an excluded feed cannot be used. */
export function upstreamEnvironment(
  declarations: readonly SourceDeclaration[],
  environment: NodeJS.ProcessEnv,
) {
  const contact = environment[CONTACT] || undefined;
  if (contact !== undefined && !isContact(contact))
    throw new StartError(`${CONTACT}=${contact} cannot be used: ${CONTACT_RULE}`);
  try {
    excludedFeedsIn(environment);
  } catch (thrown) {
    throw new StartError(errorText(thrown));
  }
  const names = [...declarations.flatMap(({ secret }) => secret ?? []), CONTACT, EXCLUDED_FEEDS];
  const set = names.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []));
  return {
    /** Variables that are set, for the ingest function. */
    variables: Object.fromEntries(set),
    /** A line for the operator: the contact that publishers receive. */
    contactLine:
      contact === undefined
        ? `requests to publishers name no contact: set ${CONTACT} to your e-mail or https address, so that they can reach you`
        : `requests to publishers name the contact ${contact}`,
  };
}

// The status file on one machine: made from the store when it is asked for, at most once a minute.

const HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Type': contentType(STATUS_FILE),
  'Cache-Control': `public, max-age=${MINUTE_MS / 1000}`,
};

/**
 * Serves the status file without a key, as CloudFront does. `recordedUntil`: recorded replies are replayed up to this time, ISO 8601;
 * undefined where something is fetched.
 */
export function statusFront({ openTables, now }: StoreWiring, recordedUntil: string | undefined): Front {
  const statuses = createSourceStatusStore(openTables(['sourceStatus']).sourceStatus, now);
  const read = async (): Promise<ServiceStatus & { readonly recorded?: true }> => {
    const nowAt = recordedUntil === undefined ? now() : Date.parse(recordedUntil);
    const status = serviceStatus([...SOURCE_DECLARATIONS, SAMPLE_DECLARATION], await statuses.all(), nowAt);
    return recordedUntil === undefined ? status : { ...status, recorded: true };
  };
  let kept: { readonly body: Promise<Buffer>; readonly untilAt: number } | undefined;
  return (request, response) => {
    if (pathRead(request) !== STATUS_FILE) return false;
    if (kept === undefined || Date.now() >= kept.untilAt) {
      const body = read().then((status) => Buffer.from(JSON.stringify(status)));
      kept = { body, untilAt: Date.now() + MINUTE_MS };
    }
    kept.body
      .then((body) => sendBytes(request, response, 200, HEADERS, body))
      .catch(() => {
        kept = undefined;
        response.writeHead(503, { ...HEADERS, 'Cache-Control': 'no-store' }).end();
      });
    return true;
  };
}
