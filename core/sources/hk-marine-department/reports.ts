/** The reports of the Marine Department: their addresses, their files in the archive and their root elements. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { replyText } from '../files/text.ts';
import { RefusedReply } from '../source.ts';
import { hkMarineDepartmentDeclaration } from './declaration.ts';

export interface ReportForm {
  /** Name in the archive, which is the upstream's own. */
  readonly file: string;
  /** Root element. */
  readonly root: string;
}

const form = (code: string): ReportForm => ({ file: `${code}i.XML`, root: `${code}IXML` });

/** Vessels arrived in the last 36 hours, with the last place of each and whether it has departed. */
export const ARRIVED = form('RP05005');
/** Vessels departed in the last 36 hours. */
export const DEPARTED = form('RP05505');
/** Vessels in port now. */
export const IN_PORT = form('RP06005');
/** Vessels due to arrive: archived for later use, and not read. */
export const DUE = form('RP04005');

/** The reports of a poll. */
export const POLL_REPORTS: readonly ReportForm[] = [ARRIVED, DEPARTED, IN_PORT];

const BASE = 'https://www.mardep.gov.hk/e_files/en/opendata/';

/** Where the report is published. */
export const address = ({ file }: ReportForm): string => BASE + file;

// The rows of one report. Any XML but that complete report is refused.

const ROW = 'G_SQL1';
/** Fields that may contain an ampersand; nothing else of a name needs an entity. */
const AMPERSAND = /&amp;/g;

/** Text of one row, by element name. */
export type ReportRow = ReadonlyMap<string, string>;

const parser = new XMLParser({
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  parseTagValue: false,
  processEntities: false,
  trimValues: true,
  isArray: (name) => name === ROW,
});

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readDocument(text: string, file: string): Record<string, unknown> {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new RefusedReply('document-type', `${file} has a document type declaration`);
  }
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new RefusedReply('malformed', `${file}: ${valid.err.msg}`);
  try {
    const parsed: unknown = parser.parse(text);
    if (isObject(parsed)) return parsed;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unreadable';
    throw new RefusedReply('malformed', `${file}: ${why}`);
  }
  throw new RefusedReply('malformed', `${file} has no element`);
}

const toRow = (value: unknown): ReportRow =>
  new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([name, text]): [string, string][] =>
      typeof text === 'string' ? [[name, text.replace(AMPERSAND, '&')]] : [],
    ),
  );

/** Rows of the report in `bytes`. Throws `RefusedReply` when it is not that complete report. */
export function readRows(bytes: Uint8Array, { file, root }: ReportForm): ReportRow[] {
  const text = replyText(file, bytes, hkMarineDepartmentDeclaration.largestReplyBytes);
  const document = readDocument(text, file);
  const names = Object.keys(document);
  if (names.length !== 1 || names[0] !== root) {
    throw new RefusedReply('wrong-root', `${file}: root is ${names.join(', ').slice(0, 60) || 'missing'}`);
  }
  const content = document[root];
  if (content === '') return [];
  const rows = isObject(content) ? content[ROW] : undefined;
  if (!Array.isArray(rows)) throw new RefusedReply('malformed', `${file}: no rows under its root`);
  return rows.map(toRow);
}
