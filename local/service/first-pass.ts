/** The first pass over the sources, step by step: a source that fails is reported and does not stop the others. */
import type { PassOutcome } from '../../core/ingest/pass.ts';
import { formatInstant, type Instant } from '../../core/reference/time.ts';
import type { Invoke } from '../functions/functions.ts';
import { errorText } from '../start-error.ts';
import type { Progress } from './progress.ts';

/** One invocation of the ingest function. */
export interface IngestStep {
  readonly event: { readonly source: string; readonly ask?: false; readonly until?: string };
  /** Recorded fetches that it applies; 1 for a pass that fetches. */
  readonly fetches: number;
}

/** What the ingest function returns of a pass. The function may be an older bundle, so every field may be absent. */
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
      if (reply.state === 'failed' || reply.state === 'paused')
        failed.set(source, reply.status?.pausedUntilAt ?? 0);
      report(outcomeLine(label, reply));
    } catch (thrown) {
      failed.set(source, 0);
      report(`${source} failed: ${errorText(thrown)}`);
    }
    progress.step(done, label);
  }
  return failed;
}

/** Lines that say which of the `total` sources failed, and when each has its next pass, not before it may be asked again. */
export function failureLines(
  failed: ReadonlyMap<string, Instant>,
  total: number,
  nextPassAt: (source: string, notBefore: Instant) => Instant | undefined,
): string[] {
  if (failed.size === 0) return [];
  const lines = Array.from(failed, ([source, pausedUntilAt]) => {
    const nextAt = nextPassAt(source, pausedUntilAt);
    return `  ${source}: ${nextAt === undefined ? 'not tried again' : `tried again at ${formatInstant(nextAt)}`}`;
  });
  return [`${failed.size} of ${total} sources failed in the first pass:`, ...lines];
}
