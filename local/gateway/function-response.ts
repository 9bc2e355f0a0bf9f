/** Reads the result of a function in a proxy integration, and rejects one that API Gateway would not forward. */
import { validateHeaderName, validateHeaderValue } from 'node:http';

export type SentHeader = [name: string, value: string];

export interface FunctionResponse {
  readonly status: number;
  /** In the order and spelling in which they are sent; a header with several values is repeated. */
  readonly headers: readonly SentHeader[];
  readonly body: string | Buffer;
  /** Length that the function states, for HEAD; a response with a body has the length of the body. */
  readonly statedLength?: string | undefined;
}

/** The gateway frames the message itself. Only the length of a response to HEAD is one that it cannot know. */
const GATEWAY_OWNED = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** By lower-case name. */
type SentHeaders = Map<string, readonly SentHeader[]>;

/** Adds headers to `sent`; false when one of them cannot be sent. */
function addHeaders(sent: SentHeaders, given: unknown, several: boolean): boolean {
  if (given === undefined || given === null) return true;
  if (!isRecord(given)) return false;
  for (const name of Object.keys(given)) {
    const value = given[name];
    const values = several ? value : [value];
    if (!Array.isArray(values)) return false;
    const lines: SentHeader[] = [];
    for (const item of values) {
      if (typeof item !== 'string' && typeof item !== 'number' && typeof item !== 'boolean') return false;
      lines.push([name, String(item)]);
    }
    try {
      validateHeaderName(name);
      for (const [, text] of lines) validateHeaderValue(name, text);
    } catch {
      return false;
    }
    sent.set(name.toLowerCase(), lines);
  }
  return true;
}

/** Undefined when the result is malformed: no status, a body that is not text, headers that cannot be sent. */
export function readFunctionResponse(result: unknown): FunctionResponse | undefined {
  if (!isRecord(result)) return undefined;
  const { statusCode, headers, multiValueHeaders, body, isBase64Encoded } = result;
  const status = typeof statusCode === 'string' ? Number(statusCode) : statusCode;
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599)
    return undefined;
  if (body !== undefined && body !== null && typeof body !== 'string') return undefined;
  const sent: SentHeaders = new Map();
  if (!addHeaders(sent, headers, false) || !addHeaders(sent, multiValueHeaders, true)) return undefined;
  if (!sent.has('content-type')) sent.set('content-type', [['Content-Type', 'application/json']]);
  const text = body ?? '';
  const decoded = isBase64Encoded === true ? Buffer.from(text, 'base64') : text;
  const passed = [...sent].filter(([name]) => !GATEWAY_OWNED.has(name)).flatMap(([, lines]) => lines);
  return { status, headers: passed, body: decoded, statedLength: sent.get('content-length')?.[0]?.[1] };
}
