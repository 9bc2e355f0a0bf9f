/** What a source may ask of the network. The real client retries, limits size and time, and stays on its hosts. */

export interface HttpReply {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export interface HttpClient {
  /** GETs `url`; replies of any status are returned, failures to get one throw `UpstreamFailure`. */
  get(url: string, headers?: Readonly<Record<string, string>>): Promise<HttpReply>;
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
