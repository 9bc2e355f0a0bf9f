/** A reply of several files, each of which may be refused without the others. */
import type { Refusals } from '../refusals.ts';
import { RefusedReply } from '../source.ts';

/**
 * What `read` gives; undefined, with its refusal, where it refuses the file. Throws `RefusedReply` for a missing field: the
 * form of the reply has changed.
 */
export function readPart<Part>(refusals: Refusals, read: () => Part): Part | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RefusedReply) || error.reason === 'missing-field') throw error;
    refusals.push({ reason: error.reason, detail: error.message });
    return undefined;
  }
}
