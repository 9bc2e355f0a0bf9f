/** Reads a reply's body up to a limit; bytes beyond the limit are never in memory. */
import { UpstreamFailure } from './http-client.ts';

/** Codings that `fetch` decodes; the bytes of any other cannot be read. */
const KNOWN_CODINGS = new Set(['', 'identity', 'gzip', 'x-gzip', 'deflate', 'br']);

/** Throws `UpstreamFailure` when the reply has a content coding that was not requested. */
export function refuseUnknownCoding(headers: Headers): void {
  const codings = (headers.get('content-encoding') ?? '').toLowerCase().split(',');
  const unknown = codings.map((coding) => coding.trim()).find((coding) => !KNOWN_CODINGS.has(coding));
  if (unknown !== undefined) throw new UpstreamFailure('unknown-coding', `content coding ${unknown}`);
}

/**
 * The whole body, decompressed. Counts decompressed bytes as they stream, so that a small reply which inflates
 * without end stops at `largestBytes` with an `UpstreamFailure`. A body that breaks off rejects as `fetch` does.
 */
export async function readBounded(response: Response, largestBytes: number): Promise<Uint8Array> {
  if (!response.body) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    if (size > largestBytes) {
      await reader.cancel().catch(() => undefined);
      throw new UpstreamFailure('too-large', `more than ${largestBytes} bytes`);
    }
    chunks.push(next.value);
  }
  const body = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return body;
}
