/** Made-up replies of Singapore and Korea in the form that their publishers describe: no run of real ones is at hand. */

import {
  DAY_MS,
  dayOf,
  daysBetween,
  formatInstant,
  HOUR_MS,
  type Instant,
  MINUTE_MS,
} from '../../core/reference/time.ts';
import { readFileName } from '../../core/sources/portmis-korea/replies.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';
import { pageText } from '../sources/portmis-korea/replies.ts';
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
/** Time of the first reply, when all vessels that sailed before it have arrived. */
const FIRST_AT = BEGAN_AT + 14 * DAY_MS;

/** A vessel every twenty minutes or less often, which waits up to a day and lies at a berth for one to two. */
const callsAt = (at: Instant, everyMinutes = 20): MadeCall[] =>
  Array.from({ length: Math.floor((at - BEGAN_AT) / (everyMinutes * MINUTE_MS)) }, (_, number) => {
    const ataAt = BEGAN_AT + number * everyMinutes * MINUTE_MS;
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

/** The log loses departures, which the declarations then state. */
const hasNoLeave = ({ number }: MadeCall): boolean => number % 8 === 0;

function koreaReply(at: Instant): ArchivedFetch {
  const time = (instant: Instant): string => `${zoned(instant, 9)}+09:00`;
  const files = new Map<string, Uint8Array>();
  // A log is a few minutes late.
  const knownAt = at - 5 * MINUTE_MS;
  for (const [index, [authority, name]] of [
    ['020', '부산'],
    ['030', '인천'],
  ].entries()) {
    const own = callsAt(knownAt, 50).filter(
      ({ number, ataAt }) => number % 2 === index && ataAt >= at - BACK_DAYS * DAY_MS,
    );
    const fields = ({ number }: MadeCall) => ({
      prtAgCd: String(authority),
      prtAgNm: String(name),
      etryptYear: '2026',
      etryptCo: String(number % 1000),
      clsgn: `D7A${100 + number}`,
      vsslKndCd: '41',
    });
    const items = own.map((call) => {
      const { ataAt, berthedAt, leftAt } = call;
      const events = [
        ['입항', ataAt, 'WAN', '3'],
        ['투묘', ataAt + 10 * MINUTE_MS, 'WAN', '7'],
        ['양묘', berthedAt + 20 * MINUTE_MS, 'WAN', '8'],
        ['접안', berthedAt + 60 * MINUTE_MS, 'MB7', '4'],
        ['출항', leftAt + 60 * MINUTE_MS, 'MB7', '9'],
      ] as const;
      return {
        fields: { ...fields(call), aprtfEtryptDt: time(ataAt), tkoffDt: '' },
        details: events
          .filter(([name, instant]) => instant <= knownAt && !(name === '출항' && hasNoLeave(call)))
          .map(([cntrlNm, instant, fcltyCd, cntrlSe], commCo) => ({
            commCo: String(commCo + 1),
            cntrlNm,
            cntrlSe,
            cntrlOpertDt: time(instant),
            fcltyCd,
            fcltySubCd: '01',
            fcltyNm: 'A PLACE',
          })),
      };
    });
    const entries = own.map((call) => ({
      fields: fields(call),
      details: [
        {
          reqstSeNm: '최종',
          etryndNm: '입항',
          etryptDt: time(call.ataAt),
          laidupFcltyCd: 'WAN',
          laidupFcltySubCd: '03',
          laidupFcltyNm: 'A PLACE',
        },
      ],
    }));
    const gone = own.filter(({ leftAt }) => leftAt + HOUR_MS <= knownAt);
    const exits = gone.map((call) => ({
      fields: fields(call),
      details: [{ reqstSeNm: '최종', etryndNm: '출항', tkoffDt: time(call.leftAt + HOUR_MS) }],
    }));
    for (const [list, rows] of Object.entries({ events: items, entries, exits }))
      files.set(`${list}-${authority}-0-1.xml`, Buffer.from(pageText(rows)));
  }
  return { fetchedAt: at, files: files.set('request.json', noteOf(at)) };
}

const hourly = (replyAt: (at: Instant) => ArchivedFetch, count: number): ArchivedFetch[] =>
  Array.from({ length: count }, (_, index) => replyAt(FIRST_AT + index * HOUR_MS));

export const singaporeReplies = (count: number): ArchivedFetch[] => hourly(singaporeReply, count);
export const koreaReplies = (count: number): ArchivedFetch[] => hourly(koreaReply, count);

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

const element = (row: Row): string =>
  Object.entries(row)
    .flatMap(([tag, value]) => [value].flat().map((text) => `<${tag}>${String(text ?? '')}</${tag}>`))
    .join('');
const rowIn = (text: string): Row =>
  Object.fromEntries(
    [...text.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, tag = '', value = '']) => [tag, value]),
  );

/** Lists are `events`, `entries` and `exits`: the items of their pages; `details of events` and so on: the rows within. */
export const pageLayout: Layout = {
  edit: (files, list, edit) =>
    mapFiles(files, (text, name) => {
      const kind = list.replace('details of ', '');
      if (readFileName(name)?.kind !== kind) return undefined;
      const items = [...text.matchAll(/<item>(.*?)<details>(.*?)<\/details><\/item>/gs)].map(
        ([, fields = '', details = '']) => ({
          fields,
          details: [...details.matchAll(/<detail>(.*?)<\/detail>/gs)].map(([, row = '']) => rowIn(row)),
        }),
      );
      const written = (fields: string, details: readonly Row[]): string =>
        `<item>${fields}<details>${details.map((row) => `<detail>${element(row)}</detail>`).join('')}</details></item>`;
      const body =
        kind === list
          ? edit(items.map(({ fields, details }): Row => ({ ...rowIn(fields), details }))).map(
              ({ details, ...row }) => written(element(row), (details ?? []) as Row[]),
            )
          : items.map(({ fields, details }) => written(fields, edit(details)));
      return text.replace(/<items>.*<\/items>/s, () => `<items>${body.join('\n')}</items>`);
    }),
};
