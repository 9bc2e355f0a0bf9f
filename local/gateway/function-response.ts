/** Reads the result of a function in a proxy integration, and rejects one that API Gateway would not forward. */
import { validateHeaderName, validateHeaderValue } from 'node:http';
import * as z from 'zod';

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

const headerValue = z.union([z.string(), z.number(), z.boolean()]).transform(String);
const proxyResult = z.object({
  statusCode: z.union([z.number(), z.string().transform(Number)]).pipe(z.int().min(200).max(599)),
  headers: z.record(z.string(), headerValue).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(headerValue)).nullish(),
  body: z.string().nullish(),
  isBase64Encoded: z.unknown().optional(),
});

function canBeSent([name, value]: SentHeader): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Undefined when the result is malformed: no status, a body that is not text, headers that cannot be sent. */
export function readFunctionResponse(result: unknown): FunctionResponse | undefined {
  const read = proxyResult.safeParse(result);
  if (!read.success) return undefined;
  const { statusCode: status, headers, multiValueHeaders, body, isBase64Encoded } = read.data;
  /** By lower-case name; of a header in both forms the several values are sent. */
  const sent = new Map<string, readonly SentHeader[]>();
  for (const [name, value] of Object.entries(headers ?? {})) sent.set(name.toLowerCase(), [[name, value]]);
  for (const [name, values] of Object.entries(multiValueHeaders ?? {}))
    sent.set(
      name.toLowerCase(),
      values.map((value) => [name, value]),
    );
  if (![...sent.values()].flat().every(canBeSent)) return undefined;
  if (!sent.has('content-type')) sent.set('content-type', [['Content-Type', 'application/json']]);
  const text = body ?? '';
  const passed = [...sent].filter(([name]) => !GATEWAY_OWNED.has(name)).flatMap(([, lines]) => lines);
  return {
    status,
    headers: passed,
    body: isBase64Encoded === true ? Buffer.from(text, 'base64') : text,
    statedLength: sent.get('content-length')?.[0]?.[1],
  };
}
