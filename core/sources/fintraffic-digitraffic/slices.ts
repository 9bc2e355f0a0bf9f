/** Cuts a span of time, then the ports, until no reply of the v1 API is cut off at its 1,000 calls. */
import type { Locode } from '../../reference/locode.ts';
import { HOUR_MS, type Instant } from '../../reference/time.ts';
import { UpstreamFailure } from '../http-client.ts';

/** The publisher refuses a question with more hits than this. */
export const MOST_HITS = 1_000;
/** A span this short is cut by port instead. */
const SHORTEST_SPAN_MS = HOUR_MS;
/** More questions than this mean that the refusals have another cause. */
const MOST_QUESTIONS = 300;

/** Changes received in `[fromAt, toAt)`, without an end when `toAt` is absent; of one port when `port` is set. */
export interface Slice {
  readonly fromAt: Instant;
  readonly toAt?: Instant;
  readonly port?: Locode;
}

/** Smaller slices that together cover `slice`; none when it cannot be cut. */
function cut(slice: Slice, nowAt: Instant, ports: readonly Locode[]): Slice[] {
  const endAt = slice.toAt ?? Math.max(nowAt, slice.fromAt);
  if (endAt - slice.fromAt > SHORTEST_SPAN_MS) {
    const middleAt = slice.fromAt + Math.ceil((endAt - slice.fromAt) / 2 / 1000) * 1000;
    const { toAt: _, ...open } = slice;
    return [
      { ...slice, toAt: middleAt },
      { ...open, fromAt: middleAt, ...(slice.toAt === undefined ? {} : { toAt: slice.toAt }) },
    ];
  }
  return slice.port === undefined ? ports.map((port) => ({ ...slice, port })) : [];
}

/**
 * Every complete reply, in order of time. `ask` gives undefined when a slice has too many hits.
 * Throws `UpstreamFailure` (`too-many-hits`) when one port's hour is still too much, or the questions never end.
 */
export async function askInSlices<Answer>(
  whole: Slice,
  nowAt: Instant,
  ports: readonly Locode[],
  ask: (slice: Slice) => Promise<Answer | undefined>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const waiting: Slice[] = [whole];
  let questions = 0;
  for (let slice = waiting.shift(); slice !== undefined; slice = waiting.shift()) {
    questions += 1;
    const answer = await ask(slice);
    if (answer !== undefined) {
      answers.push(answer);
      continue;
    }
    const smaller = cut(slice, nowAt, ports);
    if (smaller.length === 0 || questions >= MOST_QUESTIONS) {
      throw new UpstreamFailure('too-many-hits', `${slice.port ?? 'all ports'}, question ${questions}`);
    }
    waiting.unshift(...smaller);
  }
  return answers;
}
