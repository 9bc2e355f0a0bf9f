/** Whose work the samples of a CPU profile are: gateway, chain, log, store, rendering, Node itself. */
import { type CpuProfile, type Sample, samplesOf } from './cpu-profile.ts';

export const SHARES = [
  'gateway',
  'chain',
  'log',
  'store',
  'rendering',
  'node',
  'garbage collection',
] as const;
export type Share = (typeof SHARES)[number];
/** By owner: microseconds, or parts of 1. */
export type Shares = Readonly<Record<Share, number>>;

/** Whose work a source file is; the innermost frame that belongs to somebody decides. */
const OWNERS: readonly (readonly [RegExp, Share])[] = [
  [/core\/http\/response\.ts$/, 'rendering'],
  [/core\/http\/telemetry\.ts$|node_modules\/@aws-lambda-powertools\//, 'log'],
  [/(core\/(http|endpoints|contracts|access|reference)|lambdas)\/|node_modules\/(@middy|zod)\//, 'chain'],
  [/core\/store\/|node_modules\/(@aws-sdk|@smithy|@aws)\//, 'store'],
  [/\/local\//, 'gateway'],
];
/** Where Node works for somebody without a frame of theirs on the stack: sockets of the store's client, and of the server. */
const OWNERS_OF_SOCKETS: readonly (readonly [RegExp, Share])[] = [
  [/^node:_http_(client|agent)$/, 'store'],
  [/^node:_http_server$/, 'gateway'],
];

function ownerIn(sources: readonly string[], owners: typeof OWNERS): Share | undefined {
  for (const source of sources) {
    const owner = owners.find(([pattern]) => pattern.test(source));
    if (owner !== undefined) return owner[1];
  }
  return undefined;
}

/** Undefined for a sample in which nothing was done. */
export function shareOf({ functionName, sources }: Sample): Share | undefined {
  if (functionName === '(idle)') return undefined;
  if (functionName === '(garbage collector)') return 'garbage collection';
  return ownerIn(sources, OWNERS) ?? ownerIn(sources, OWNERS_OF_SOCKETS) ?? 'node';
}

/** Microseconds of the profile's thread by owner, from `fromMicros` after its start. */
export function microsByShare(profile: CpuProfile, fromMicros = 0): Shares {
  const micros = Object.fromEntries(SHARES.map((share) => [share, 0])) as Record<Share, number>;
  for (const sample of samplesOf(profile, fromMicros)) {
    const share = shareOf(sample);
    if (share !== undefined) micros[share] += sample.micros;
  }
  return micros;
}
