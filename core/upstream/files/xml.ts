/** Parses an untrusted XML reply: any doubt about the document refuses the whole reply. */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { RefusedReply } from '../source.ts';

/** Text of the child elements of one row, by element name, with entities decoded and white space trimmed. */
export type XmlRow = ReadonlyMap<string, string>;

export type XmlElement = Readonly<Record<string, unknown>>;

const PARSER_OPTIONS = {
  ignoreAttributes: true,
  ignoreDeclaration: true,
  ignorePiTags: true,
  // Else the parser writes out the path of each element, for functions that want it.
  jPath: false,
  parseTagValue: false,
  processEntities: false,
  trimValues: true,
} as const;

/** The five entities that XML predefines; documents that declare others are refused. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
};

const decoded = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ENTITIES[entity] ?? entity);

export const isXmlElement = (value: unknown): value is XmlElement =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The document's root element and its content. Elements named in `lists` are always arrays. Throws
 * `RefusedReply`: `document-type` when the text declares entities, `malformed` when it is not well-formed, which a
 * truncated document is not, `too-many-rows` before it is parsed.
 */
export function readXml(
  name: string,
  text: string,
  lists: readonly string[],
  maxRows = Number.POSITIVE_INFINITY,
): { root: string; content: unknown } {
  if (/<!(?:DOCTYPE|ENTITY)/i.test(text)) {
    throw new RefusedReply('document-type', `${name} has a document type declaration`);
  }
  const rows = text.match(new RegExp(`<(?:${lists.join('|')})[\\s/>]`, 'g'))?.length ?? 0;
  if (rows > maxRows) throw new RefusedReply('too-many-rows', `${name}: ${rows} rows, at most ${maxRows}`);
  const valid = XMLValidator.validate(text);
  if (valid !== true) throw new RefusedReply('malformed', `${name}: ${valid.err.msg}`);
  let document: unknown;
  try {
    document = new XMLParser({ ...PARSER_OPTIONS, isArray: (tag) => lists.includes(tag) }).parse(text);
  } catch (error) {
    throw new RefusedReply('malformed', `${name}: ${error instanceof Error ? error.message : 'unreadable'}`);
  }
  const [entry, ...others] = Object.entries(isXmlElement(document) ? document : {});
  if (entry === undefined || others.length > 0) {
    throw new RefusedReply(
      'malformed',
      `${name}: ${entry === undefined ? 'no' : 'more than one'} root element`,
    );
  }
  return { root: entry[0], content: entry[1] };
}

/** The texts of an element's children; children that are elements themselves are left out. */
export const xmlRow = (element: unknown): XmlRow =>
  new Map(
    Object.entries(isXmlElement(element) ? element : {}).flatMap(([tag, text]): [string, string][] =>
      typeof text === 'string' ? [[tag, decoded(text)]] : [],
    ),
  );
