/** The fields of a reply: each form is read whole or not at all, and a list must have every field that is declared. */

import type { CallsObservation, Observation, PollObservation, RecordedStop } from '../calls/observation.ts';
import {
  EARLIEST_EVENT_AT,
  formatInstant,
  type Instant,
  MINUTE_MS,
  parseInstant,
} from '../reference/time.ts';
import {
  type NeededField,
  type ParsedFetch,
  type Refusal,
  Refusals,
  RefusedReply,
  type SourceDeclaration,
} from './source.ts';

/** How a source writes the values of a field. */
export interface Form<Value> {
  /** In words, as the declaration states it. */
  readonly form: string;
  /** The value of the whole text; undefined when the text is of another form. */
  read(text: string): Value | undefined;
}

const makeForm = <Value>(
  form: string,
  pattern: RegExp,
  read: (text: string) => Value | undefined,
): Form<Value> => ({ form, read: (text) => (pattern.test(text) ? read(text) : undefined) });

export const WHOLE_NUMBER = makeForm('whole number', /^\d{1,15}$/, Number);
export const DECIMAL = makeForm('number with a decimal point', /^-?\d{1,15}(?:\.\d{1,15})?$/, Number);

/** An IMO number, its check digit verified (resolution A.1117(30)). */
export const IMO_NUMBER = makeForm('IMO number with its check digit', /^[1-9]\d{6}$/, (text) => {
  const weighted = Array.from(text.slice(0, 6), (digit, index) => Number(digit) * (7 - index));
  return weighted.reduce((sum, term) => sum + term, 0) % 10 === Number(text[6]) ? text : undefined;
});

/** The date of HTTP headers (RFC 9110, 5.6.7). */
export const HTTP_TIME = makeForm(
  'time "Sun, 06 Nov 1994 08:49:37 GMT"',
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  (text): Instant | undefined => Date.parse(text) || undefined,
);

/** ISO 8601 with an offset. */
export const ISO_TIME = makeForm('time "YYYY-MM-DDTHH:mm:ss" with offset', /^/, parseInstant);

export const oneOf = <Value extends string>(...values: readonly Value[]): Form<Value> =>
  makeForm(`one of ${values.join(', ')}`, /^/, (text) => values.find((value) => value === text));

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const PARTS: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MMM: '(?<name>[A-Za-z]{3})',
  MM: '(?<month>\\d{2})',
  DD: '(?<day>\\d{2})',
  HH: '(?<hour>\\d{2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
};

/** A time as clocks of `place` show it, `minutes` ahead of UTC; undefined for a date that does not exist. */
export function localTime(layout: string, place: string, minutes: number): Form<Instant> {
  const pattern = new RegExp(
    `^${layout.replaceAll(/YYYY|MMM|MM|DD|HH|mm|ss/g, (part) => PARTS[part] ?? part)}$`,
  );
  return makeForm(`time "${layout}" of ${place}`, pattern, (text) => {
    const { year, name = '', month, day, hour, minute, second = '00' } = pattern.exec(text)?.groups ?? {};
    const number = month ?? String(MONTHS.indexOf(name.toUpperCase()) + 1).padStart(2, '0');
    const at = parseInstant(`${year}-${number}-${day}T${hour}:${minute}:${second}Z`);
    return at === undefined ? undefined : at - minutes * MINUTE_MS;
  });
}

/** Why a time cannot be that of something that has happened; undefined when it can. */
export function timeFault(at: Instant | undefined, latestAt: Instant): string | undefined {
  if (at === undefined) return 'unreadable-time';
  if (at > latestAt) return 'future-time';
  return at < EARLIEST_EVENT_AT ? 'ancient-time' : undefined;
}

/** Context for reading a record: nothing that has happened can be later than `asOfAt`. */
export interface TimeCheck {
  readonly asOfAt: Instant;
  readonly refusals: Refusals;
}

/** A past time in ISO 8601; undefined when none is stated, and, with a refusal, when it is impossible. */
export function pastTime(text: string, label: string, { asOfAt, refusals }: TimeCheck): Instant | undefined {
  if (text === '') return undefined;
  const at = ISO_TIME.read(text);
  const reason = timeFault(at, asOfAt);
  if (reason === undefined) return at;
  refusals.push({ reason, detail: `${label} ${text.slice(0, 40)}, as of ${formatInstant(asOfAt)}` });
  return undefined;
}

/** The same field of several lists or the fields of one list, for a declaration. */
export const fieldsOf = (
  list: string,
  needed: Readonly<Record<string, string>>,
  optional: Readonly<Record<string, string>> = {},
): NeededField[] => [
  ...Object.entries(needed).map(([name, form]) => ({ list, name, form })),
  ...Object.entries(optional).map(([name, form]) => ({ list, name, form, optional: true as const })),
];

type RawRow = Readonly<Record<string, unknown>>;

const isRow = (row: unknown): row is RawRow => typeof row === 'object' && row !== null && !Array.isArray(row);
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0);
/** Form of a field whose value is itself a list. */
export const LIST = 'list';

/** The fault of a row; undefined when it has each needed field once. */
function rowFault(fields: readonly NeededField[], row: unknown): string | undefined {
  if (!isRow(row)) return 'is not a row';
  for (const { name, form, optional } of fields) {
    if (Array.isArray(row[name]) && form !== LIST) return `has ${name} twice`;
    if (!optional && form !== LIST && isEmpty(row[name])) return `has no ${name}`;
    if (!optional && form === LIST && !Array.isArray(row[name])) return `has no ${name}`;
  }
  return undefined;
}

/**
 * The fault of each row, undefined for a valid row. `rows` are those of the whole list, which may be several files. Throws
 * `RefusedReply` (`missing-field`) when no row has a declared field: it was renamed or dropped.
 */
export function rowFaults(
  declaration: Pick<SourceDeclaration, 'fields'>,
  list: string,
  rows: readonly unknown[],
  where = list,
): (string | undefined)[] {
  const fields = declaration.fields.filter((field) => field.list === list);
  const lost = fields.find(
    ({ name, rare }) => !rare && !rows.some((row) => isRow(row) && Object.hasOwn(row, name)),
  );
  if (lost !== undefined && rows.some(isRow))
    throw new RefusedReply('missing-field', `${where}: none of ${rows.length} rows has ${lost.name}`);
  return rows.map((row) => rowFault(fields, row));
}

/** Rows of a list that fill each of its declared fields, by name. */
export function filledFields(
  { fields }: Pick<SourceDeclaration, 'fields'>,
  list: string,
  rows: readonly unknown[],
): Readonly<Record<string, number>> {
  const declared = fields.filter((field) => field.list === list);
  return Object.fromEntries(
    declared.map(({ name }) => [name, rows.filter((row) => isRow(row) && !isEmpty(row[name])).length]),
  );
}

// Bounds the text of a parsed reply, for all sources: ids become keys of rows, and details become attributes of the
// source's row.

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
  const boundPoll = (poll: PollObservation): PollObservation => {
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
  const boundBatch = (batch: CallsObservation): CallsObservation => {
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
  const bounded = (report: Observation): Observation => {
    if (report.kind === 'trade') return report;
    return report.kind === 'poll' ? boundPoll(report) : boundBatch(report);
  };
  const observations = parsed.observations.map(bounded);
  if (found.length === 0) return parsed;
  const own = { list: 'rows with their texts', rows, refused: found.length };
  return {
    ...parsed,
    observations,
    refusals: new Refusals().add(parsed.refusals).add(new Refusals(...found)),
    // A source that counts no lists has one of all rows.
    lists: parsed.lists.length === 0 ? [] : [...parsed.lists, own],
  };
}
