/** The files of one TIPC fetch: their names, and the rows of a list. */
import { decodedText } from '../../upstream/files/text.ts';
import { isXmlElement, readXml } from '../../upstream/files/xml.ts';
import { RefusedReply } from '../../upstream/source.ts';
import { tipcTaiwanDeclaration as declaration, TIPC_PORTS, type TipcPort } from './declaration.ts';

export type Direction = 'in' | 'out';

/** `in-port-KHH.xml`; the windows after the first are `in-port-KHH-1.xml` and so on. */
export const listFile = (direction: Direction, port: TipcPort, window: number): string =>
  `${direction}-port-${port}${window === 0 ? '' : `-${window}`}.xml`;

const LIST_FILE = /^(in|out)-port-([A-Z]{3})(?:-\d{1,2})?\.xml$/;

/** The list in a file; undefined for any other file and for ports that TIPC does not name. */
export function readFileName(file: string): { direction: Direction; port: TipcPort } | undefined {
  const [, direction, port = ''] = LIST_FILE.exec(file) ?? [];
  if (direction === undefined || !Object.hasOwn(TIPC_PORTS, port)) return undefined;
  return { direction: direction as Direction, port: port as TipcPort };
}

/** An ampersand that begins none of the predefined entities: names such as `SEA&LAND` are not escaped. */
const RAW_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos);)/g;

/** Root element of a list, which is its name. */
export const ROOTS: Readonly<Record<Direction, string>> = { in: 'IN_PORT', out: 'OUT_PORT' };

/** The rows of a list. Throws `RefusedReply` as `decodedText` and `readXml` do, and with `wrong-root` for another list. */
export function readList(file: string, bytes: Uint8Array, direction: Direction): unknown[] {
  // Big5 as the WHATWG defines it has the ETEN and HKSCS characters that vessel names use. Text that is not Big5 is refused,
  // because a wrong character would turn a name into that of another vessel.
  const text = decodedText(file, bytes, declaration.maxReplyBytes, 'Big5');
  const { root, content } = readXml(
    file,
    text.replace(RAW_AMPERSAND, '&amp;'),
    ['SHIP'],
    declaration.maxRows,
  );
  if (root !== ROOTS[direction])
    throw new RefusedReply('wrong-root', `${file}: root is ${root.slice(0, 40)}`);
  if (content === '') return [];
  const rows = isXmlElement(content) ? content.SHIP : undefined;
  if (!Array.isArray(rows)) throw new RefusedReply('malformed', `${file}: no SHIP under its root`);
  return rows;
}
