/**
 * Whether the authorizer's time distinguishes keys: unknown from disabled, and a near miss from a
 * far one. `node --import tsx test/bench/authorizer-timing.ts [samples]`; exit 1 when it does, or when the test is not sensitive enough.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { mintKey } from '../../core/access/key.ts';
import { createAuthorizer } from '../../lambdas/authorizer/authorizer.ts';
import { welchT } from './welch.ts';

const METHOD_ARN = 'arn:aws:execute-api:eu-north-1:123456789012:abc123/dev/GET/v1/ports/USLAX/trend';
const DETECTED_T = 4.5;
/** Samples beyond this share are pauses of the machine, not of the code. */
const USED_SHARE = 0.99;
const WARM_UP = 20_000;
const PLANTED_NS = 1000n;

type Authorize = ReturnType<typeof createAuthorizer>;
type Event = Parameters<Authorize>[0];

/** A kind of key to distinguish from another: how one is made, and whether there is a row of it. */
interface Kind {
  readonly secret: () => string;
  readonly known: boolean;
}

const random = (): string => mintKey('dev', randomBytes);
const existing = random();
const unknown: Kind = { secret: random, known: false };
const disabled: Kind = { secret: random, known: true };
/**
 * An existing key with its last character changed, and a key that is like none: each the same text every time, because
 * a text that comes again is faster than one that does not.
 */
const stranger = random();
const farMiss: Kind = { secret: () => stranger.slice(0, -1) + stranger.slice(-1), known: false };
const nearMiss: Kind = {
  secret: () => existing.slice(0, -1) + (existing.endsWith('0') ? '1' : '0'),
  known: false,
};

/** As Lambda makes it of the text that it is handed: no string in it was seen before. */
const eventOf = (secret: string): Event =>
  JSON.parse(
    JSON.stringify({
      methodArn: METHOD_ARN,
      headers: { 'X-API-Key': secret },
      multiValueHeaders: { 'X-API-Key': [secret] },
    }),
  );

/**
 * t between the times of two kinds, each drawn at random, `samples` in all. The table is not tested: it makes
 * a row for every digest and returns that of a known key `leakNs` later.
 */
async function timingT(kinds: readonly [Kind, Kind], samples: number, leakNs = 0n): Promise<number> {
  let known = false;
  const authorize = createAuthorizer({
    keys: {
      async find(digest) {
        const limits = { ratePerSecond: 1, burst: 300 };
        const row = { digest, keyId: 'id', name: 'name', enabled: false, limits };
        const until = known && leakNs > 0n ? process.hrtime.bigint() + leakNs : 0n;
        while (until > 0n && process.hrtime.bigint() < until);
        return known ? row : undefined;
      },
    },
    prefix: 'pcd_dev',
    now: Date.now,
  });
  const times = [new Float64Array(samples), new Float64Array(samples)] as const;
  const counts: [number, number] = [0, 0];
  for (let run = -WARM_UP; run < samples; run += 1) {
    const which = randomInt(2) === 0 ? 0 : 1;
    // Both are made each time: what is done before the clock starts is felt behind it.
    const event = [eventOf(kinds[0].secret()), eventOf(kinds[1].secret())][which] ?? eventOf('');
    known = kinds[which].known;
    const startedAt = process.hrtime.bigint();
    await authorize(event);
    const took = Number(process.hrtime.bigint() - startedAt);
    if (run < 0) continue;
    times[which][counts[which]] = took;
    counts[which] += 1;
  }
  const sets = [times[0].slice(0, counts[0]), times[1].slice(0, counts[1])] as const;
  // Judged over both together, so that neither is favoured.
  const sorted = Float64Array.of(...sets[0], ...sets[1]).sort();
  const most = sorted[Math.floor(sorted.length * USED_SHARE)] ?? Number.POSITIVE_INFINITY;
  const used = (values: Float64Array): Float64Array => values.filter((value) => value <= most);
  return welchT(used(sets[0]), used(sets[1]));
}

export interface TimingFigures {
  readonly samples: number;
  readonly unknownAndDisabled: number;
  readonly nearAndFarMiss: number;
  /** With a planted leak of a microsecond, which must be seen for the others to mean anything. */
  readonly planted: number;
}

export const timeAuthorizer = async (samples = 100_000): Promise<TimingFigures> => ({
  samples,
  unknownAndDisabled: await timingT([unknown, disabled], samples),
  nearAndFarMiss: await timingT([nearMiss, farMiss], samples),
  planted: await timingT([unknown, disabled], samples, PLANTED_NS),
});

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const figures = await timeAuthorizer(Number(process.argv[2] ?? 100_000));
  console.log(JSON.stringify(figures, undefined, 2));
  const isDistinguished = [figures.unknownAndDisabled, figures.nearAndFarMiss].some(
    (t) => Math.abs(t) >= DETECTED_T,
  );
  if (isDistinguished || Math.abs(figures.planted) < DETECTED_T) process.exit(1);
}
