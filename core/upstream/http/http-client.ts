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

/** The body of a 200; any other status is an `UpstreamFailure` (`refused`) of `what`. */
export async function getBody(
  http: HttpClient,
  url: string,
  what: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Uint8Array> {
  const { status, body } = await http.get(url, headers);
  if (status !== 200) throw new UpstreamFailure('refused', `${what}: status ${status}`);
  return body;
}
