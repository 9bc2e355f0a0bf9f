/** OCEANS-X replies: the files of a fetch, and the shape of each row. Only what is read of a row is checked. */
import { z } from 'zod';
import { EARLIEST_EVENT_AT, type Instant, MINUTE_MS } from '../../reference/time.ts';
import { replyJson } from '../../upstream/files/text.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { RefusedReply } from '../../upstream/source.ts';
import { mpaSingaporeDeclaration } from './declaration.ts';

/** `arrivals-2026-03-10.json` and so on by day in Singapore, `movements-9301234.json` by IMO number, `vessels.json`. */
export type DayList = 'arrivals' | 'departures' | 'declarations';

export const dayFile = (list: DayList, day: string): string => `${list}-${day}.json`;
export const movementsFile = (imoNumber: string): string => `movements-${imoNumber}.json`;
export const VESSELS_FILE = 'vessels.json';

const DAY_FILE = /^(arrivals|departures|declarations)-\d{4}-\d{2}-\d{2}\.json$/;
const MOVEMENTS_FILE = /^movements-(\d{7})\.json$/;

export const readDayFileName = (file: string): DayList | undefined =>
  DAY_FILE.exec(file)?.[1] as DayList | undefined;
export const readMovementsFileName = (file: string): string | undefined => MOVEMENTS_FILE.exec(file)?.[1];

/** Singapore has used UTC+8 since 1982. */
export const SINGAPORE_OFFSET_MS = 8 * 60 * MINUTE_MS;

/** `2026-03-10 07:45:00` in Singapore, without an offset; undefined for another form or an invalid time of this century. */
export function singaporeTime(text: string | null | undefined): Instant | undefined {
  const match = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2}:\d{2})(?:\.0+)?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const local = Date.parse(`${match[1]}T${match[2]}Z`);
  const isReal = !Number.isNaN(local) && new Date(local).toISOString().startsWith(`${match[1]}T${match[2]}`);
  const at = local - SINGAPORE_OFFSET_MS;
  return isReal && at >= EARLIEST_EVENT_AT ? at : undefined;
}

/** Seven digits of which the last is the check digit (IMO resolution A.1117(30)); leading zeros are padding. */
export function readImoNumber(text: string | number | null | undefined): string | undefined {
  const digits = String(text ?? '')
    .trim()
    .replace(/^0+/, '');
  if (!/^\d{7}$/.test(digits)) return undefined;
  const sum = [...digits.slice(0, 6)].reduce((total, digit, index) => total + Number(digit) * (7 - index), 0);
  return sum % 10 === Number(digits[6]) ? digits : undefined;
}

const text = z.string().nullish();
const numeric = z.union([z.string(), z.number()]).nullish();
const particulars = z.object({ vesselName: text, callSign: text, imoNumber: numeric, grossTonnage: numeric });

/** One vessel at one time: an arrival, a departure or a declared arrival. Field names differ in case between lists. */
const dayRow = z.object({
  vesselParticulars: particulars,
  arrivedTime: text,
  departedTime: text,
  reportedArrivalTime: text,
  locationFrom: text,
  locationTo: text,
  purpose: text,
});
const vesselRow = z.object({ vesselParticulars: particulars });
const movementRow = z.object({
  movementStartDateTime: text,
  movementEndDateTime: text,
  movementType: text,
  locationFrom: text,
  locationTo: text,
});

export type DayRow = z.output<typeof dayRow>;
export type VesselRow = z.output<typeof vesselRow>;
export type MovementRow = z.output<typeof movementRow>;

/**
 * The rows of a reply; rows of another shape are refused. Throws `RefusedReply` as `replyJson` does, and with
 * `malformed` when it is not a list: OCEANS-X reports an error as an object.
 */
function readRows<Row extends z.ZodType>(
  file: string,
  bytes: Uint8Array,
  shape: Row,
  refusals: Refusals,
): z.output<Row>[] {
  const content = replyJson(file, bytes, mpaSingaporeDeclaration);
  if (!Array.isArray(content)) throw new RefusedReply('malformed', `${file} is not a list`);
  return content.flatMap((entry: unknown, index) => {
    const parsed = shape.safeParse(entry);
    if (parsed.success) return [parsed.data];
    refusals.push({
      reason: 'malformed',
      detail: `${file} row ${index}: ${parsed.error.issues[0]?.path.join('.')}`,
    });
    return [];
  });
}

export const readDayRows = (file: string, bytes: Uint8Array, refusals: Refusals): DayRow[] =>
  readRows(file, bytes, dayRow, refusals);
export const readVesselRows = (file: string, bytes: Uint8Array, refusals: Refusals): VesselRow[] =>
  readRows(file, bytes, vesselRow, refusals);
export const readMovementRows = (file: string, bytes: Uint8Array, refusals: Refusals): MovementRow[] =>
  readRows(file, bytes, movementRow, refusals);
