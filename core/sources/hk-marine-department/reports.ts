/** The reports of the Marine Department: their addresses, their files in the archive and their root elements. */
import { replyText } from '../../upstream/files/text.ts';
import { isXmlElement, readXml } from '../../upstream/files/xml.ts';
import { RefusedReply } from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration as declaration } from './declaration.ts';

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

const ROW = 'G_SQL1';

/** Rows of the report in `bytes`. Throws `RefusedReply` when it is not that complete report. */
export function readRows(bytes: Uint8Array, { file, root }: ReportForm): unknown[] {
  const text = replyText(file, bytes, declaration.maxReplyBytes);
  const { root: found, content } = readXml(file, text, [ROW], declaration.maxRows);
  if (found !== root) throw new RefusedReply('wrong-root', `${file}: root is ${found.slice(0, 60)}`);
  if (content === '') return [];
  const rows = isXmlElement(content) ? content[ROW] : undefined;
  if (!Array.isArray(rows)) throw new RefusedReply('malformed', `${file}: no rows under its root`);
  return rows;
}
