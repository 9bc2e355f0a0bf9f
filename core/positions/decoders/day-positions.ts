/**
 * A day file read for the vessels that count. Most rows are of tugs, fishing boats and yachts: two an hour of each show
 * where it is received.
 */
import { vesselClass } from '../fix.ts';
import { type CsvLayout, CsvPositions } from './csv-positions.ts';
import type { FixSink } from './decoded.ts';

const HOUR_SECONDS = 3600;
/** Size of the table of vessels, less one. Two vessels that share a slot are read more often, never less. */
const LAST_SLOT = 0xffff;
/** Most rows skipped in a row, so that a new hour is noticed where no counted vessel is received. */
const MAX_LEFT = 50;

/** A reader of one file. Rows that are left at their MMSI are counted as others. */
export function dayPositions(layout: CsvLayout, take: FixSink): CsvPositions {
  // MMSIs by their last bits, because a set takes twice as long for each row; negative after one row, whose type may be garbled.
  const read = new Float64Array(LAST_SLOT + 1);
  let hour = 0;
  let left = 0;
  return new CsvPositions(
    layout,
    (fix) => {
      left = 0;
      const fixHour = Math.floor(fix.time / HOUR_SECONDS);
      if (fixHour !== hour) read.fill(0);
      hour = fixHour;
      const slot = fix.mmsi & LAST_SLOT;
      if (vesselClass(fix.vesselType) !== 'other') read[slot] = 0;
      else read[slot] = Math.abs(read[slot] ?? 0) === fix.mmsi ? fix.mmsi : -fix.mmsi;
      take(fix);
    },
    (mmsi) => {
      if (mmsi === 0 || read[mmsi & LAST_SLOT] !== mmsi || left === MAX_LEFT) return false;
      left += 1;
      return true;
    },
  );
}
