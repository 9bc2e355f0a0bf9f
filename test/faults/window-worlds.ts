/** Made-up replies of Singapore in the form that its publisher describes: no run of real ones is at hand. */

import {
  DAY_MS,
  dayOf,
  daysBetween,
  formatInstant,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../core/reference/time.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { type Layout, mapFiles, type Row } from './reply-layouts.ts';

interface MadeCall {
  readonly number: number;
  readonly ataAt: Instant;
  readonly berthedAt: Instant;
  readonly leftAt: Instant;
}

const BEGAN_AT = Date.UTC(2026, 2, 1);
/** Days that a reply reads back. */
const BACK_DAYS = 10;
/** Of the first reply: all vessels of then have arrived by it. */
const FIRST_AT = BEGAN_AT + 14 * DAY_MS;

/** A vessel every twenty minutes, which waits up to a day and lies at a berth for one to two. */
const callsAt = (at: Instant): MadeCall[] =>
  Array.from({ length: Math.floor((at - BEGAN_AT) / (20 * MINUTE_MS)) }, (_, number) => {
    const ataAt = BEGAN_AT + number * 20 * MINUTE_MS;
    const berthedAt = ataAt + ((number * 7) % 24) * HOUR_MS;
    return { number, ataAt, berthedAt, leftAt: berthedAt + (24 + ((number * 5) % 24)) * HOUR_MS };
  });

const zoned = (at: Instant, hours: number): string =>
  new Date(at + hours * HOUR_MS).toISOString().slice(0, 19);
const jsonBytes = (content: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(content));
const noteOf = (at: Instant): Uint8Array =>
  jsonBytes({ from: formatInstant(at - BACK_DAYS * DAY_MS), to: formatInstant(at), unanswered: [] });

/** An IMO number with its check digit. */
function imoOf(number: number): string {
  const digits = String(900_000 + number);
  const sum = Array.from(digits).reduce((all, digit, index) => all + Number(digit) * (7 - index), 0);
  return `${digits}${sum % 10}`;
}

function singaporeReply(at: Instant): ArchivedFetch {
  const within = callsAt(at).filter(({ ataAt }) => ataAt >= at - BACK_DAYS * DAY_MS);
  const vessel = ({ number }: MadeCall) => ({
    vesselName: `VESSEL ${number}`,
    callSign: `9V${1000 + number}`,
    imoNumber: imoOf(number),
    grossTonnage: '30000',
  });
  const time = (instant: Instant): string => zoned(instant, 8).replace('T', ' ');
  const files = new Map<string, Uint8Array>();
  for (const day of daysBetween(dayOf(at - BACK_DAYS * DAY_MS), dayOf(at))) {
    const rowsOf = (key: 'ataAt' | 'leftAt', name: string, calls: readonly MadeCall[]) =>
      calls
        .filter((call) => call[key] <= at && dayOf(call[key]) === day)
        .map((call) => ({ vesselParticulars: vessel(call), [name]: time(call[key]), purpose: 'CARGO' }));
    files.set(`arrivals-${day}.json`, jsonBytes(rowsOf('ataAt', 'arrivedTime', within)));
    files.set(`departures-${day}.json`, jsonBytes(rowsOf('leftAt', 'departedTime', callsAt(at))));
    files.set(`declarations-${day}.json`, jsonBytes(rowsOf('ataAt', 'reportedArrivalTime', within)));
  }
  files.set('vessels.json', jsonBytes(within.map((call) => ({ vesselParticulars: vessel(call) }))));
  return { fetchedAt: at, files: files.set('request.json', noteOf(at)) };
}

const hourly = (replyAt: (at: Instant) => ArchivedFetch, count: number): ArchivedFetch[] =>
  Array.from({ length: count }, (_, index) => replyAt(FIRST_AT + index * HOUR_MS));

export const singaporeReplies = (count: number): ArchivedFetch[] => hourly(singaporeReply, count);

/** Lists are files of rows, `arrivals-2026-03-10.json`; the fields of a vessel stand beside those of its row. */
export const dayListLayout: Layout = {
  edit: (files, list, edit) =>
    mapFiles(files, (text, name) => {
      if (!name.startsWith(list)) return undefined;
      const rows = (JSON.parse(text) as Row[]).map(
        ({ vesselParticulars, ...row }): Row => ({ ...row, ...(vesselParticulars as Row) }),
      );
      const nested = ({ vesselName, callSign, imoNumber, grossTonnage, ...row }: Row): Row => ({
        vesselParticulars: { vesselName, callSign, imoNumber, grossTonnage },
        ...row,
      });
      return JSON.stringify(edit(rows).map(nested));
    }),
};
