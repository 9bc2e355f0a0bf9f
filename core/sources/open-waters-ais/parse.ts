/** Reads the calls that a step over a poll has made. */
import { z } from 'zod';
import { replyJson } from '../reply-text.ts';
import { type ArchivedFetch, type ParsedFetch, RefusedReply } from '../source.ts';
import { openWatersAisDeclaration as declaration } from './declaration.ts';
import { CALLS_FILE } from './step.ts';

const refusalShape = z.object({ reason: z.string(), detail: z.string() });
const stopShape = z.object({
  zone: z.enum(['anchorage', 'berth', 'moving']),
  place: z.string(),
  ataAt: z.number().exactOptional(),
  atdAt: z.number().exactOptional(),
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
const replyShape = z.object({
  refused: refusalShape.optional(),
  batches: z.array(batchShape),
  refusals: z.array(refusalShape),
});

/** Throws `RefusedReply` with the reason for which the step refused the poll. */
export function parseCalls({ fetchedAt, files }: ArchivedFetch): ParsedFetch {
  const file = files.get(CALLS_FILE);
  if (file === undefined) throw new RefusedReply('no-step', 'the calls of this poll have not been made');
  const read = replyShape.safeParse(replyJson(CALLS_FILE, file, declaration.largestReplyBytes));
  if (!read.success)
    throw new RefusedReply('malformed', `${CALLS_FILE} is not of the form that a step writes`);
  const { refused, batches, refusals } = read.data;
  if (refused !== undefined) throw new RefusedReply(refused.reason, refused.detail);
  return { asOfAt: fetchedAt, reports: batches, refusals };
}
