/**
 * Faults of steps over positions. A step that throws costs its own fetch, as a parser that throws does: the fault is
 * written in the place of the calls and the state does not change, so the fetches after it are read as if it were absent.
 */
import { type FetchedFiles, type Refusal, RefusedReply } from '../sources/source.ts';

const FAULT_FILE = /^step-fault-.+\.json$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An error of a source's own code as the refusal of one fetch, so that it never blocks the source. */
export const refusalOf = (error: unknown): RefusedReply =>
  error instanceof RefusedReply
    ? error
    : new RefusedReply('parser-fault', error instanceof Error ? error.message : 'the parser failed');

/** What a step that threw leaves: the file that stands for its calls. */
export class StepFault {
  constructor(readonly files: FetchedFiles) {}
}

/** The result of `run`, a pure part of a source; its error as a fault of `part`, which names the region or the source. */
export function orFault<Made>(part: string, run: () => Made): Made | StepFault {
  try {
    return run();
  } catch (error) {
    const { reason, message } = refusalOf(error);
    const refusal: Refusal = { reason, detail: `${part}: ${message}` };
    return new StepFault(new Map([[`step-fault-${part}.json`, encoder.encode(JSON.stringify(refusal))]]));
  }
}

/** The faults of the steps over a fetch. */
export const faultsIn = (files: FetchedFiles): Refusal[] =>
  [...files]
    .filter(([name]) => FAULT_FILE.test(name))
    .map(([, bytes]) => JSON.parse(decoder.decode(bytes)) as Refusal);
