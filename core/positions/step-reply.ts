/** The calls that a step over positions makes: a file that the step writes and `parse` reads. */
import { z } from 'zod';
import { type CallBatch, type CallRecord, NOTICE_REASONS } from '../calls/observation.ts';
import type { Locode } from '../reference/locode.ts';
import type { Instant } from '../reference/time.ts';
import { replyJson } from '../upstream/files/text.ts';
import { type FetchedFiles, RefusedReply } from '../upstream/source.ts';
import type { ChangedRecord } from './vessel-calls.ts';

const refusalShape = z.object({ reason: z.string(), detail: z.string() });
const noticeShape = z.object({ reason: z.enum(NOTICE_REASONS), detail: z.string() });
const stopShape = z.object({
  zone: z.enum(['anchorage', 'berth', 'moving']),
  place: z.string(),
  ataAt: z.number().exactOptional(),
  atdAt: z.number().exactOptional(),
  startUnknown: z.literal(true).exactOptional(),
  endUnknown: z.literal(true).exactOptional(),
});
const recordShape = z.object({
  callId: z.string(),
  vesselId: z.string(),
  traffic: z.enum(['cargo', 'ferry']),
  recordedAt: z.number(),
  stops: z.array(stopShape),
  ataInferred: z.literal(true).exactOptional(),
  waitKnown: z.literal(false).exactOptional(),
  cancelled: z.boolean().exactOptional(),
});
const batchShape = z.object({
  kind: z.literal('call-batch'),
  port: z.string(),
  observedAt: z.number(),
  coveredFromAt: z.number(),
  records: z.array(recordShape),
});
const listShape = z.object({
  list: z.string(),
  rows: z.number(),
  refused: z.number(),
  filled: z.record(z.string(), z.number()).exactOptional(),
});
const replyShape = z.object({
  /** Why everything is left out. */
  refused: refusalShape.exactOptional(),
  /** End of the newest day that is known, for steps over days. */
  asOfAt: z.number().exactOptional(),
  batches: z.array(batchShape),
  refusals: z.array(refusalShape),
  /** The rows of a poll. */
  lists: z.array(listShape).exactOptional(),
  notices: z.array(noticeShape),
  /** Absent where the positions could not be read. */
  counts: z.record(z.string(), z.number()).exactOptional(),
});
export type StepReply = Omit<z.infer<typeof replyShape>, 'batches'> & {
  readonly batches: readonly CallBatch[];
};

export const writeCalls = (reply: StepReply): Uint8Array =>
  new TextEncoder().encode(`${JSON.stringify(reply)}\n`);

/** Reads the file `name`. Throws `RefusedReply` with the reason for which the step refused the positions. */
export function readCalls(files: FetchedFiles, name: string, maxBytes: number): StepReply {
  const file = files.get(name);
  if (file === undefined)
    throw new RefusedReply('no-step', 'the calls of these positions have not been made');
  const read = replyShape.safeParse(
    replyJson(name, file, { maxReplyBytes: maxBytes, maxRows: Number.POSITIVE_INFINITY }),
  );
  if (!read.success) throw new RefusedReply('malformed', `${name} is not of the form that a step writes`);
  const { refused } = read.data;
  if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail, read.data);
  return read.data;
}

/** The changed records of each covered port; `covered` says since when. */
export const callBatches = (
  changed: readonly ChangedRecord[],
  covered: ReadonlyMap<Locode, Instant>,
  observedAt: Instant,
): CallBatch[] =>
  [...covered]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([port, coveredFromAt]) => ({
      kind: 'call-batch',
      port,
      observedAt,
      coveredFromAt,
      records: changed.filter((change) => change.port === port).map(({ record }) => record),
    }));

/** Records of an older day, as of the end of the newest one. */
export const corrections = (
  changed: readonly ChangedRecord[],
  covered: readonly Locode[],
  asOfAt: Instant,
): CallBatch[] =>
  callBatches(changed, new Map(covered.map((port) => [port, asOfAt] as const)), asOfAt).filter(
    ({ records }) => records.length > 0,
  );

/** Batches of one port and span as one; the later of two records of one call counts. */
export function mergeBatches(batches: readonly CallBatch[]): CallBatch[] {
  const merged = new Map<string, { batch: CallBatch; records: Map<string, CallRecord> }>();
  for (const batch of batches) {
    const key = `${batch.port} ${batch.observedAt} ${batch.coveredFromAt}`;
    const known = merged.get(key) ?? { batch, records: new Map() };
    for (const record of batch.records) known.records.set(record.callId, record);
    merged.set(key, known);
  }
  return [...merged.values()].map(({ batch, records }) => ({ ...batch, records: [...records.values()] }));
}
