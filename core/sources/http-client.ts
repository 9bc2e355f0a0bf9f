/** The network as a source sees it. The real client retries, limits size and time, and stays on its hosts. */

export interface ReplyHead {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface HttpReply extends ReplyHead {
  readonly body: Uint8Array;
}

/**
 * Reads a body as it streams, for replies that are too large to be taken whole. It may stop before the end. It bounds
 * what it keeps, and starts again when the client tries again.
 */
export type BodyReader = (chunks: AsyncIterable<Uint8Array>, head: ReplyHead) => Promise<void>;

export interface HttpClient {
  /**
   * GETs `url`; replies of any status are returned, failures to get one throw `UpstreamFailure`. With `read`, the body
   * goes to it in chunks and that of the reply is empty.
   */
  get(url: string, headers?: Readonly<Record<string, string>>, read?: BodyReader): Promise<HttpReply>;
}

/** The upstream could not be reached, stalled, broke off, or went on refusing after the retries. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure';
  constructor(
    readonly reason: string,
    detail: string,
    /** Seconds after which the upstream asked to be tried again, if it did. */
    readonly retryAfterSeconds?: number,
  ) {
    super(detail);
  }
}
