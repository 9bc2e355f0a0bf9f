/** Bounds the text of a parsed reply, for all sources: ids become keys of rows, and details become attributes of the source's row. */
import type { CallBatch, PortPoll, RecordedStop, SourceReport } from '../calls/observation.ts';
import { type Refusal, Refusals } from './refusals.ts';
import type { ParsedFetch } from './source.ts';

/** UTF-8 bytes of the id of a vessel or call. */
export const MAX_ID_BYTES = 128;
/** Characters of any other text of a row. The longest place in real replies of Hong Kong and Kaohsiung has 45. */
export const MAX_TEXT = 200;

interface Texts {
  readonly callId?: string;
  readonly vesselId: string;
  readonly place?: string;
  readonly stops?: readonly RecordedStop[];
}

const isId = (id: string): boolean => Buffer.byteLength(id) <= MAX_ID_BYTES;

/** The text of a row that is too long, in words; undefined when all of it fits. */
function faultOf({ callId, vesselId, place, stops = [] }: Texts): string | undefined {
  for (const id of [callId, vesselId])
    if (id !== undefined && !isId(id))
      return `id ${id.slice(0, 40)}… has ${Buffer.byteLength(id)} bytes, at most ${MAX_ID_BYTES}`;
  const long = [place, ...stops.map((stop) => stop.place)].find((text) => (text?.length ?? 0) > MAX_TEXT);
  return (
    long && `${vesselId}: place ${long.slice(0, 40)}… has ${long.length} characters, at most ${MAX_TEXT}`
  );
}

/**
 * The reply without the rows that have a longer text: each is refused, and its call or vessel stays as it was. They are a list of their
 * own in the counts, so that a reply of nothing else is refused as a whole.
 */
export function boundedReply(parsed: ParsedFetch): ParsedFetch {
  let rows = 0;
  const found: Refusal[] = [];
  const unfit: string[] = [];
  const fitting = <Row extends Texts>(list: readonly Row[] | undefined, idOf: (row: Row) => string) => {
    rows += list?.length ?? 0;
    return list?.filter((row) => {
      const detail = faultOf(row);
      if (detail !== undefined) found.push({ reason: 'long-text', detail });
      if (detail !== undefined && isId(idOf(row))) unfit.push(idOf(row));
      return detail === undefined;
    });
  };
  const vesselOf = ({ vesselId }: Texts): string => vesselId;
  const boundPoll = (poll: PortPoll): PortPoll => {
    unfit.length = 0;
    const inPort = fitting(poll.inPort, vesselOf);
    const unreadable = [...(poll.unreadable ?? []).filter(isId), ...unfit];
    return {
      ...poll,
      inPort,
      arrived: fitting(poll.arrived, vesselOf),
      departed: fitting(poll.departed, vesselOf),
      unreadable: unreadable.length > 0 ? unreadable : undefined,
    };
  };
  const boundBatch = (batch: CallBatch): CallBatch => {
    unfit.length = 0;
    const records = fitting(batch.records, ({ callId }) => callId) ?? [];
    const { complete, arrivalsElsewhere } = batch;
    const unreadable = [...(complete?.unreadable ?? []).filter(isId), ...unfit];
    return {
      ...batch,
      records,
      ...(complete && { complete: { ...complete, unreadable } }),
      ...(arrivalsElsewhere && { arrivalsElsewhere: arrivalsElsewhere.filter((row) => isId(row.vesselId)) }),
    };
  };
  const bounded = (report: SourceReport): SourceReport => {
    if (report.kind === 'trade') return report;
    return report.kind === 'poll' ? boundPoll(report) : boundBatch(report);
  };
  const reports = parsed.reports.map(bounded);
  if (found.length === 0) return parsed;
  const own = { list: 'rows with their texts', rows, refused: found.length };
  return {
    ...parsed,
    reports,
    refusals: new Refusals().add(parsed.refusals).add(new Refusals(...found)),
    // A source that counts no lists has one of all rows.
    lists: parsed.lists.length === 0 ? [] : [...parsed.lists, own],
  };
}
