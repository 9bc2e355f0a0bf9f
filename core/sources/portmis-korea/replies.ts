/** PORT-MIS replies: the files of a fetch, the envelope of a page, and its error codes. */

import { WHOLE_NUMBER } from '../../upstream/fields.ts';
import { isXmlElement, readXml, replyText, type XmlElement, type XmlRow } from '../../upstream/files/text.ts';
import type { WholeAnswer } from '../../upstream/http-client.ts';
import { RefusedReply } from '../../upstream/source.ts';
import {
  portmisKoreaDeclaration as declaration,
  KEY_ADVICE,
  QUOTA_ADVICE,
  SUBSCRIPTION_ADVICE,
} from './declaration.ts';

/** `events` is the control-event log; `entries` and `exits` are the declarations by day of entry and of exit. */
export type ListKind = 'events' | 'entries' | 'exits';

export const LIST_KINDS: readonly ListKind[] = ['events', 'entries', 'exits'];

/** `events-020-1-3.xml`: list, authority, window, page. Window and page may be left out. */
export const pageFile = (kind: ListKind, authority: string, window: number, page: number): string =>
  `${kind}-${authority}-${window}-${page}.xml`;

const PAGE_FILE = /^(events|entries|exits)-(\d{3})(?:-\d{1,3}){0,2}\.xml$/;

/** The list and authority of a file; undefined for any other file. */
export function readFileName(
  file: string,
): { readonly kind: ListKind; readonly authority: string } | undefined {
  const [, kind, authority = ''] = PAGE_FILE.exec(file) ?? [];
  return kind === undefined ? undefined : { kind: kind as ListKind, authority };
}

/** One call on a page: its own fields, and those of each event or declaration of it. */
export interface ReplyItem {
  readonly fields: XmlRow;
  readonly details: readonly XmlRow[];
}

/** A call as a page writes it, before its fields are checked. */
export interface UncheckedItem {
  readonly element: XmlElement;
  readonly details: readonly XmlElement[];
}

export interface ReplyPage {
  /** Calls of the whole query, not of the page; undefined when the page states none. */
  readonly totalCount: number | undefined;
  readonly items: readonly UncheckedItem[];
}

/** The API returned an error code. The text of an error can repeat the key, so only the code is used. */
export class ReplyError extends Error {
  override readonly name = 'ReplyError';
  constructor(readonly code: string) {
    super(`result code ${code}`);
  }
}

/** Codes of the gateway of data.go.kr that concern every request, and what to do about each. */
export const CODE_ADVICE: Readonly<Record<string, Pick<WholeAnswer, 'reason' | 'advice'>>> = {
  '20': { reason: 'not-subscribed', advice: SUBSCRIPTION_ADVICE },
  '22': { reason: 'quota', advice: QUOTA_ADVICE },
  '30': { reason: 'key-refused', advice: KEY_ADVICE },
  '31': { reason: 'key-refused', advice: 'the key has expired: renew it on data.go.kr' },
};

const child = (element: unknown, name: string): unknown =>
  isXmlElement(element) ? element[name] : undefined;
const readText = (element: unknown, name: string): string => {
  const text = child(element, name);
  return typeof text === 'string' ? text : '';
};

const listIn = (element: unknown, name: string): readonly XmlElement[] => {
  const list = child(element, name);
  return Array.isArray(list) ? list.filter(isXmlElement) : [];
};

/**
 * The page in `bytes`. Throws `ReplyError` for an error code of the API or its gateway, and `RefusedReply` when it is
 * not a reply: `html`, `malformed` and so on as `replyText` and `readXml` do, `wrong-root` for another document.
 */
export function readPage(file: string, bytes: Uint8Array): ReplyPage {
  const text = replyText(file, bytes, declaration.maxReplyBytes);
  const { root, content } = readXml(file, text, ['item', 'detail'], declaration.maxRows);
  if (root === 'OpenAPI_ServiceResponse') {
    throw new ReplyError(readText(child(content, 'cmmMsgHeader'), 'returnReasonCode') || 'unknown');
  }
  if (root !== 'response') throw new RefusedReply('wrong-root', `${file}: root is ${root.slice(0, 40)}`);
  const code = readText(child(content, 'header'), 'resultCode');
  if (code !== '00') throw new ReplyError(code || 'unknown');
  const body = child(content, 'body');
  const items = listIn(child(body, 'items'), 'item').map((element) => ({
    element,
    details: listIn(element.details, 'detail'),
  }));
  return { totalCount: WHOLE_NUMBER.read(readText(body, 'totalCount')), items };
}
