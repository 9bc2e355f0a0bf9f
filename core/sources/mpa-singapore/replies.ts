/** OCEANS-X replies: the files of a fetch, and the shape of each row. Only the fields that are read are checked. */
import { z } from 'zod';
import type { Instant } from '../../reference/time.ts';
import { IMO_NUMBER, rowFaults, timeFault } from '../../upstream/fields.ts';
import { replyJson } from '../../upstream/files/text.ts';
import type { Refusals } from '../../upstream/refusals.ts';
import { RefusedReply } from '../../upstream/source.ts';
import { mpaSingaporeDeclaration as declaration, SINGAPORE_TIME } from './declaration.ts';

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

/** `2026-03-10 07:45:00` in Singapore, without an offset; undefined for another form or a time that does not exist. */
export const singaporeTime = (text: string | null | undefined): Instant | undefined =>
  SINGAPORE_TIME.read((text ?? '').trim().replace('T', ' ').replace(/\.0+$/, ''));

/** The IMO number if valid; leading zeros are padding. */
export const readImoNumber = (text: string | number | null | undefined): string | undefined =>
  IMO_NUMBER.read(
    String(text ?? '')
      .trim()
      .replace(/^0+/, ''),
  );

/** Vessels without a number have an empty field or a word like `NIL`; digits mixed with anything else are a malformed number. */
export const isImoForm = (text: string | number | null | undefined): boolean =>
  /^\D*$|^\d+$/.test(String(text ?? '').trim());

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
const time = text.refine(
  (stated) => !stated?.trim() || timeFault(singaporeTime(stated), Number.POSITIVE_INFINITY) === undefined,
);
const movementRow = z.object({
  movementStartDateTime: time,
  movementEndDateTime: time,
  movementType: text,
  locationFrom: text,
  locationTo: text,
});

export type DayRow = z.output<typeof dayRow>;
export type MovementRow = z.output<typeof movementRow>;

/** A row as a file has it, before its fields are checked. */
export interface Entry {
  readonly file: string;
  readonly value: unknown;
}

/**
 * The entries of a file. Throws `RefusedReply` as `replyJson` does, and with `malformed` when it is not a list: OCEANS-X
 * reports an error as an object.
 */
export function readEntries(file: string, bytes: Uint8Array): Entry[] {
  const content = replyJson(file, bytes, declaration);
  if (!Array.isArray(content)) throw new RefusedReply('malformed', `${file} is not a list`);
  return content.map((value: unknown) => ({ file, value }));
}

const particularsIn = z.object({ vesselParticulars: z.unknown() });

/**
 * The rows of one list, over all files; undefined for a refused row, which lacks a needed field or has another shape. Throws
 * `RefusedReply` (`missing-field`) when no row has a needed field.
 */
function readRows<Row extends z.ZodType>(
  list: string,
  entries: readonly Entry[],
  shape: Row,
  refusals: Refusals,
): (z.output<Row> | undefined)[] {
  const values = entries.map(({ value }) => value);
  const faults = rowFaults(declaration, list, values);
  const vessels = values.flatMap((value) => particularsIn.safeParse(value).data?.vesselParticulars ?? []);
  rowFaults(declaration, `vesselParticulars of ${list}`, vessels);
  return entries.map(({ file, value }, index) => {
    const parsed = shape.safeParse(value);
    const fault = faults[index] ?? parsed.error?.issues[0]?.path.join('.');
    if (fault === undefined) return parsed.data;
    refusals.push({ reason: 'malformed', detail: `${file} row ${index}: ${fault}` });
    return undefined;
  });
}

/** The rows of a day's list as far as they have the shape, to choose the vessels to ask for. */
export const readDayFile = (file: string, bytes: Uint8Array): DayRow[] =>
  readEntries(file, bytes).flatMap(({ value }) => dayRow.safeParse(value).data ?? []);

export const readDayRows = (list: DayList, entries: readonly Entry[], refusals: Refusals): DayRow[] =>
  readRows(list, entries, dayRow, refusals).flatMap((row) => row ?? []);

export const readVesselRows = (entries: readonly Entry[], refusals: Refusals) =>
  readRows('vessels', entries, vesselRow, refusals).flatMap((row) => row ?? []);

/** By IMO number, without vessels that have a refused movement: their stays would be wrong without it. */
export function readMovements(
  files: ReadonlyMap<string, readonly Entry[]>,
  refusals: Refusals,
): ReadonlyMap<string, MovementRow[]> {
  const rows = readRows('movements', [...files.values()].flat(), movementRow, refusals);
  const movements = new Map<string, MovementRow[]>();
  for (const [imoNumber, { length }] of files) {
    const own = rows.splice(0, length);
    const read = own.flatMap((row) => row ?? []);
    if (read.length === length) movements.set(imoNumber, read);
  }
  return movements;
}
