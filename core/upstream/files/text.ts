/** A reply's bytes as text or JSON; a web page, an empty file or another encoding is refused with its reason. */

import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { type Refusals, RefusedReply, type SourceDeclaration } from '../source.ts';

const WEB_PAGE = /^\s*<(?:!doctype html|html)/i;

/** Refuses a web page, which some upstreams send as an error with status 200. */
export function refuseWebPage(name: string, text: string): void {
  if (WEB_PAGE.test(text)) throw new RefusedReply('html', `${name} is a web page`);
}

/** The text, without a byte order mark. Throws `RefusedReply`: `too-large`, `encoding`, `html`. */
export function decodedText(
  name: string,
  bytes: Uint8Array,
  maxBytes: number,
  encoding: 'UTF-8' | 'Big5',
): string {
  if (bytes.byteLength > maxBytes) throw new RefusedReply('too-large', `${name}: ${bytes.byteLength} bytes`);
  let text: string;
  try {
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new RefusedReply('encoding', `${name} is not ${encoding}`);
  }
  refuseWebPage(name, text);
  return text;
}

/** The reply as text. Throws `RefusedReply` as `decodedText` does, and with `empty` when it has only white space. */
export function replyText(name: string, bytes: Uint8Array, maxBytes: number): string {
  const text = decodedText(name, bytes, maxBytes, 'UTF-8');
  if (/^\s*$/.test(text)) throw new RefusedReply('empty', `${name} is empty`);
  return text;
}

/** Undefined, with its refusal, for a refused file. Throws `RefusedReply` for a missing field: the form has changed. */
export function readPart<Part>(refusals: Refusals, read: () => Part): Part | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof RefusedReply) || error.reason === 'missing-field') throw error;
    refusals.push({ reason: error.reason, detail: error.message });
    return undefined;
  }
}

const [QUOTE, BACKSLASH, COLON, BRACE, BRACKET] = [34, 92, 58, 123, 91];

/** Counts of objects and lists, and of field names, in a JSON text. */
function countJson(text: string): { readonly rows: number; readonly names: number } {
  let [rows, names] = [0, 0];
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) isQuoted = !isQuoted;
    else if (isQuoted) at += code === BACKSLASH ? 1 : 0;
    else if (code === COLON) names += 1;
    else if (code === BRACE || code === BRACKET) rows += 1;
  }
  return { rows, names };
}

/** Number of fields of all objects within `content`. */
function countFields(content: unknown): number {
  const waiting = [content];
  let fields = 0;
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    const values = Object.values(value);
    if (!Array.isArray(value)) fields += values.length;
    for (const inner of values) if (typeof inner === 'object' && inner !== null) waiting.push(inner);
  }
  return fields;
}

/**
 * The reply as JSON. Throws `RefusedReply` as `replyText` does, with `too-many-rows` before it is parsed, and with `malformed`
 * when it does not parse or an object has one field twice.
 */
export function replyJson(
  name: string,
  bytes: Uint8Array,
  { maxReplyBytes, maxRows }: Pick<SourceDeclaration, 'maxReplyBytes' | 'maxRows'>,
): unknown {
  const text = replyText(name, bytes, maxReplyBytes);
  const { rows, names } = countJson(text);
  if (rows > maxRows) throw new RefusedReply('too-many-rows', `${name}: ${rows} rows, at most ${maxRows}`);
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    throw new RefusedReply('malformed', `${name} does not parse`);
  }
  const doubled = names - countFields(content);
  if (doubled > 0) throw new RefusedReply('malformed', `${name}: ${doubled} objects have a field twice`);
  return content;
}

// Parses an untrusted XML reply: any doubt about the document refuses the whole reply.

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

/** Characters that no XML document may have. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;
/** Proxies write the page of an error into the middle of a reply. */
const WEB_PAGE_WITHIN = /<html[\s>]/i;

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
  if (CONTROL.test(text) || WEB_PAGE_WITHIN.test(text))
    throw new RefusedReply('malformed', `${name} has control characters or a web page within`);
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
