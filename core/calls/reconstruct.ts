/** Port calls from reports: the one entry to the calls room for whoever ingests. */
import type { Applied, Ledger } from './ledger.ts';
import type { PortReport } from './observation.ts';
import { applyPoll } from './poll-reconstruction.ts';
import { applyBatch } from './record-reconstruction.ts';

/**
 * Applies one report of the ledger's port. The same report applied again, also to a ledger of which only the
 * clocks are behind or only some calls were written, ends in the same calls. A call that a report leaves as it
 * was is not in `changed`.
 */
export const applyReport = (ledger: Ledger, report: PortReport): Applied =>
  report.kind === 'poll' ? applyPoll(ledger, report) : applyBatch(ledger, report);
