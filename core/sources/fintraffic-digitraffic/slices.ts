/** Divides a span of time, then the ports, until no request exceeds the v1 API's limit of 1,000 calls. */
import type { Locode } from '../../reference/locode.ts';
import { HOUR_MS, type Instant } from '../../reference/time.ts';
import { UpstreamFailure } from '../http/http-client.ts';

/** The publisher refuses a request with more hits than this. */
export const MAX_HITS = 1_000;
/** A span this short is divided by port instead. */
const MIN_SPAN_MS = HOUR_MS;
/** More requests than this mean that the refusals have another cause. */
const MAX_REQUESTS = 300;

/** Changes received in `[fromAt, toAt)`, without an end when `toAt` is absent; of one port when `port` is set. */
export interface Slice {
  readonly fromAt: Instant;
  readonly toAt?: Instant;
  readonly port?: Locode;
}

/** Smaller slices that together cover `slice`; none when it cannot be divided. */
function cut(slice: Slice, nowAt: Instant, ports: readonly Locode[]): Slice[] {
  const endAt = slice.toAt ?? Math.max(nowAt, slice.fromAt);
  if (endAt - slice.fromAt > MIN_SPAN_MS) {
    const middleAt = slice.fromAt + Math.ceil((endAt - slice.fromAt) / 2 / 1000) * 1000;
    const { toAt: _, ...open } = slice;
    return [
      { ...slice, toAt: middleAt },
      { ...open, fromAt: middleAt, toAt: slice.toAt },
    ];
  }
  return slice.port === undefined ? ports.map((port) => ({ ...slice, port })) : [];
}

/**
 * Every complete reply, in order of time. `fetchSlice` returns undefined when a slice has too many hits.
 * Throws `UpstreamFailure` (`too-many-hits`) when one port's hour still has too many, or after too many requests.
 */
export async function fetchInSlices<Reply>(
  whole: Slice,
  nowAt: Instant,
  ports: readonly Locode[],
  fetchSlice: (slice: Slice) => Promise<Reply | undefined>,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  const waiting: Slice[] = [whole];
  let requests = 0;
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    requests += 1;
    const reply = await fetchSlice(slice);
    if (reply !== undefined) {
      replies.push(reply);
      continue;
    }
    const smaller = cut(slice, nowAt, ports);
    if (smaller.length === 0 || requests >= MAX_REQUESTS) {
      throw new UpstreamFailure('too-many-hits', `${slice.port ?? 'all ports'}, request ${requests}`);
    }
    waiting.unshift(...smaller);
  }
  return replies;
}
