/** The first pass over the sources, step by step: a source that fails is reported and does not stop the others. */
import type { Invoke } from '../local/functions/functions.ts';
import { errorText } from '../local/start-error.ts';
import type { Progress } from './progress.ts';

/** One invocation of the ingest function. */
export interface IngestStep {
  readonly source: string;
  /** Recorded fetches that it applies; 1 for a pass that fetches. */
  readonly fetches: number;
  /** Fetches done after this step. */
  readonly done: number;
  readonly label: string;
  readonly event: unknown;
}

/** The part of a function's result that is used here; it is validated, because bundles may differ. */
interface StepReply {
  readonly state?: unknown;
  readonly detail?: unknown;
  readonly fetches?: unknown;
  readonly changedRecords?: unknown;
  readonly refusals?: unknown;
  /** It ran out of time before its end. */
  readonly unfinished?: unknown;
}

/** `hk-marine-department 2025-08-18T12:30:00Z: 240 records changed`; undefined when there is nothing to say. */
function outcomeLine(
  label: string,
  { state, detail, changedRecords, refusals }: StepReply,
): string | undefined {
  if (state === undefined) return undefined;
  if (state !== 'ok') return `${label}: ${state}${detail === undefined ? '' : `, ${detail}`}`;
  const refused = Array.isArray(refusals) && refusals.length > 0 ? `, ${refusals.length} refused` : '';
  return `${label}: ${changedRecords} records changed${refused}`;
}

/** Runs the steps one after the other, until `ended` says to stop. */
export async function runSteps(
  steps: readonly IngestStep[],
  ingest: Invoke,
  progress: Progress,
  ended: () => boolean,
): Promise<void> {
  const failed = new Set<string>();
  progress.begin('ingesting', steps.at(-1)?.done ?? 0);
  for (const { source, event, label, done, fetches } of steps) {
    if (ended()) break;
    if (failed.has(source)) continue;
    progress.step(done - fetches, label);
    try {
      let reply: StepReply;
      do reply = ((await ingest(event)) ?? {}) as StepReply;
      while (reply.unfinished === true && !ended());
      const line = outcomeLine(label, reply);
      if (line !== undefined && !ended()) progress.line(line);
    } catch (thrown) {
      failed.add(source);
      if (!ended()) progress.line(`${source} failed: ${errorText(thrown)}`);
    }
    progress.step(done, label);
  }
  progress.end();
}
