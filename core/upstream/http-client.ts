/** The network interface of a source. The real client retries, limits size and time, and stays on its hosts. */
interface ReplyHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpReply extends ReplyHead {
  readonly body: Uint8Array;
}

/**
 * Reads a body that is too large for memory, and limits its own memory. It may stop before the end, and starts again when the
 * client retries.
 */
export type BodyReader = (chunks: AsyncIterable<Uint8Array>, head: ReplyHead) => Promise<void>;

export interface HttpClient {
  /**
   * GETs `url`; replies of any status are returned, failures to get one throw `UpstreamFailure`. With `read`, the body
   * goes to it in chunks and that of the reply is empty.
   */
  get(url: string, headers?: Readonly<Record<string, string>>, read?: BodyReader): Promise<HttpReply>;
}

/** The upstream could not be reached, stalled, broke off, or still refused after the retries. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  constructor(
    readonly reason: string,
    detail: string,
    /** Seconds of the upstream's `Retry-After`, if it sent one. */
    readonly retryAfterSeconds?: number,
  ) {
    super(detail);
  }
}

/** Concerns every request of the pass, so no further one is made. */
export class WholeFailure extends UpstreamFailure {}

// Replies that concern the key, its quota or the whole service, whatever was requested.

/** A form of such a reply: it has all of the stated `statuses`, `header` and `text`. */
export interface WholeAnswer {
  readonly statuses?: readonly number[];
  /** Lower-case name, and the form of its value. */
  readonly header?: readonly [name: string, value: RegExp];
  /** Form of the beginning of the body. Data must never have it. */
  readonly text?: RegExp;
  readonly reason: 'key-refused' | 'not-subscribed' | 'quota' | 'rate-limited' | 'maintenance' | 'refused';
  /** What it means, or what the operator can do. */
  readonly advice: string;
}

/** Bytes of a body that are compared with a form. */
const BEGINNING = 4_000;

/** Replies of any upstream: the page that stands for a service under maintenance has status 200 at some. */
const OF_ANY_SOURCE: readonly WholeAnswer[] = [
  {
    statuses: [200],
    text: /^\s*<(?:!doctype html|html)[\s\S]*\bmaintenance\b/i,
    reason: 'maintenance',
    advice: 'the service is under maintenance',
  },
];

/** The first form of `answers` that the reply has. */
export function findWholeAnswer(
  answers: readonly WholeAnswer[],
  { status, headers, body }: HttpReply,
): WholeAnswer | undefined {
  const beginning = new TextDecoder().decode(body.subarray(0, BEGINNING));
  return answers.find(
    ({ statuses, header, text }) =>
      (statuses?.includes(status) ?? true) &&
      (header?.[1].test(headers[header[0]] ?? '') ?? true) &&
      (text?.test(beginning) ?? true),
  );
}

/**
 * The failure of a pass whose reply concerns every request: one of `answers`, or a page about maintenance. `retryAfterSeconds`, of the
 * reply, is its pause. No text of the reply is quoted, because it may repeat the key.
 */
export function wholeFailure(
  upstream: string,
  reply: HttpReply,
  answers: readonly WholeAnswer[] = [],
  retryAfterSeconds?: number,
): WholeFailure | undefined {
  const answer = findWholeAnswer([...answers, ...OF_ANY_SOURCE], reply);
  return (
    answer &&
    new WholeFailure(
      answer.reason,
      `${upstream}: status ${reply.status}: ${answer.advice}`,
      retryAfterSeconds,
    )
  );
}

/** The body of a 200. Throws `UpstreamFailure` for a page about maintenance, and (`refused`) for any other status of `what`. */
export async function getBody(
  http: HttpClient,
  url: string,
  what: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const reply = await http.get(url, headers);
  const failure = wholeFailure(what, reply);
  if (failure) throw failure;
  if (reply.status !== 200) throw new UpstreamFailure('refused', `${what}: status ${reply.status}`);
  return reply.body;
}
