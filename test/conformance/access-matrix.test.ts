/**
 * Who may call what: every state of a key, times every endpoint, times JSON and CSV, in one table. It runs locally, and
 * against a deployed stage with BASE_URL and KEY_STARTER, KEY_LITE, KEY_DISABLED and so on in the environment.
 */
import { describe, expect, it } from '@jest/globals';
import type { ErrorCode } from '../../core/contracts/errors.ts';
import { get, KEYED_PATHS, type KeyName, keyOf, pathsNotOn } from './service.ts';
import { expectError } from './statements.ts';

const NOT_ON_LITE = new Set(pathsNotOn('lite'));

type Outcome = 200 | readonly [status: number, code: ErrorCode];
const MISSING: Outcome = [401, 'auth_missing'];
const INVALID: Outcome = [401, 'auth_invalid'];
const FORBIDDEN: Outcome = [403, 'auth_forbidden'];

/** A key as it is known, or as text. */
type Sent = { readonly known: KeyName } | { readonly text: string | undefined };
const always = (outcome: Outcome) => (): Outcome => outcome;

const KEYS: readonly [state: string, sent: Sent, outcome: (path: string) => Outcome][] = [
  ['[S1.05] [S5.12] [S7.07] no key', { text: undefined }, always(MISSING)],
  ['[S5.12] an empty key', { text: '' }, always(MISSING)],
  ['[S5.13] a malformed key', { text: 'not-a-key' }, always(INVALID)],
  ['[S5.14] an unknown key', { text: `pcd_dev_${'zy'.repeat(15)}` }, always(INVALID)],
  ['[S5.16] a disabled key', { known: 'disabled' }, always(FORBIDDEN)],
  ['[S5.17] a key on no plan', { known: 'unplanned' }, always(FORBIDDEN)],
  [
    '[S5.18] a key on a plan without the endpoint, Lite',
    { known: 'lite' },
    (path) => (NOT_ON_LITE.has(path) ? FORBIDDEN : 200),
  ],
  ['a key on Starter', { known: 'starter' }, always(200)],
  ['a key on Pro', { known: 'pro' }, always(200)],
];

const CASES = KEYS.flatMap(([state, sent, outcome]) =>
  KEYED_PATHS.flatMap((path) =>
    (['json', 'csv'] as const).map((format) => ({ state, sent, path, format, expected: outcome(path) })),
  ),
);

describe('8. Limits and 5. Authentication, the whole matrix', () => {
  it.each(CASES)('$state on $path as $format', async ({ sent, path, format, expected }) => {
    const key = 'known' in sent ? keyOf(sent.known) : sent.text;
    const reply = await get(`${path}${path.includes('?') ? '&' : '?'}format=${format}`, { key });
    if (expected === 200) {
      expect(reply.status).toBe(200);
      expect(reply.headers['ratelimit-limit']).toBe('60');
    } else {
      const [status, code] = expected;
      expectError(reply, status, code);
      // Only a key that the service knows and serves has an allotment.
      if (!('known' in sent && sent.known === 'lite'))
        expect(reply.headers).not.toHaveProperty('ratelimit-limit');
    }
  });
});

it('[S4.66] [S4.72] Lite has neither waits nor forecasts nor imports', () => {
  const lacking = [...NOT_ON_LITE].map((path) => path.split('?')[0]?.split('/').at(-1));
  expect(lacking.sort()).toEqual(['forecast', 'imports', 'waits']);
});
