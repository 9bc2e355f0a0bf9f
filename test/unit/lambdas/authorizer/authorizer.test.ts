/** The authorizer: who is let in, on what policy, and what it never reveals. */
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isKeyForm, type KeyRow, keyDigest, mintKey, parseContext } from '../../../../core/access/keys.ts';
import { createAuthorizer } from '../../../../lambdas/authorizer/authorizer.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const STAGE_ARN = 'arn:aws:execute-api:eu-north-1:123456789012:abc123/dev';
const METHOD_ARN = `${STAGE_ARN}/GET/v1/ports/USLAX/trend`;

const good = mintKey('dev', randomBytes);
const disabled = mintKey('dev', randomBytes);
const unplanned = mintKey('dev', randomBytes);
const live = mintKey('live', randomBytes);
const rowOf = (secret: string, fields: Partial<KeyRow> = {}): KeyRow => ({
  digest: keyDigest(secret),
  keyId: 'id',
  name: 'acme',
  enabled: true,
  ...fields,
});
const planned = { planId: 'p', tier: 'starter', limits: { ratePerSecond: 1, burst: 300 } } as const;
/** Made in the console: the gateway holds the whole secret, or what follows its prefix. */
const inConsole = mintKey('dev', randomBytes);
const generated = mintKey('dev', randomBytes);
const ROWS = [
  rowOf(inConsole, { ...planned, heldAs: 'secret' }),
  rowOf(generated, { ...planned, heldAs: 'remainder' }),
  rowOf(good, planned),
  rowOf(disabled, { ...planned, enabled: false }),
  rowOf(unplanned),
  // Even a row that should not be there does not let another stage's keys in.
  rowOf(live, planned),
];

function authorizer(prefix: 'pcd_dev' | 'pcd_live' = 'pcd_dev') {
  const asked: string[] = [];
  const authorize = createAuthorizer({
    keys: {
      async find(digest) {
        asked.push(digest);
        return ROWS.find((row) => row.digest === digest);
      },
    },
    prefix,
    now: () => NOW,
  });
  const send = (...values: string[]) =>
    authorize({
      methodArn: METHOD_ARN,
      headers: values.length === 0 ? {} : { 'X-API-Key': values.at(-1) ?? '' },
      multiValueHeaders: values.length === 0 ? {} : { 'X-API-Key': values },
    });
  return { asked, authorize, send };
}

const policyDocument = (Effect: 'Allow' | 'Deny') => ({
  Version: '2012-10-17',
  Statement: [{ Action: 'execute-api:Invoke', Effect, Resource: `${STAGE_ARN}/*` }],
});
const DENY = { principalId: 'unknown', policyDocument: policyDocument('Deny') };

describe('the authorizer', () => {
  it('S5.08 lets a good key in everywhere on the stage, metered by its digest', async () => {
    const response = await authorizer().send(good);
    expect(response).toEqual({
      principalId: keyDigest(good),
      policyDocument: policyDocument('Allow'),
      context: expect.objectContaining({ keyState: 'active', tier: 'starter', rateLimitLimit: '60' }),
      usageIdentifierKey: keyDigest(good),
    });
    expect(parseContext(response.context)).toMatchObject({ state: 'active', limits: { burst: 300 } });
  });

  it.each([
    ['disabled', disabled],
    ['unplanned', unplanned],
  ])('lets a key that is %s through with that state, for a 403', async (state, secret) => {
    const digest = keyDigest(secret);
    expect(await authorizer().send(secret)).toEqual({
      principalId: digest,
      policyDocument: policyDocument('Allow'),
      context: { keyDigest: digest, keyState: state },
      usageIdentifierKey: digest,
    });
  });

  it('meters a key made in the console by the value that the gateway holds', async () => {
    const whole = await authorizer().send(inConsole);
    expect([whole.principalId, whole.usageIdentifierKey]).toEqual([keyDigest(inConsole), inConsole]);
    const { usageIdentifierKey } = await authorizer().send(generated);
    expect(`pcd_dev_${usageIdentifierKey}`).toBe(generated);
    const { policyDocument } = await authorizer().send(String(usageIdentifierKey));
    expect(policyDocument.Statement[0]).toMatchObject({ Effect: 'Deny' });
  });

  it('S5.13 denies a malformed key without asking the table', async () => {
    const { send, asked } = authorizer();
    for (const text of ['abc', 'pcd_dev_short', `PCD_DEV_${'A'.repeat(24)}`, `pcd_test_${'a'.repeat(24)}`])
      expect(await send(text)).toEqual(DENY);
    expect(asked).toEqual([]);
  });

  it('S5.14 denies a thousand unknown and near-miss keys, each alike', async () => {
    const { send, asked } = authorizer();
    const characters = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'];
    const random = fc.nat().map(() => mintKey('dev', randomBytes));
    const changed = fc
      .tuple(fc.constantFrom(good, disabled, unplanned), fc.nat({ max: 43 }), fc.constantFrom(...characters))
      .map(([secret, at, other]) => secret.slice(0, at) + other + secret.slice(at + 1));
    const cut = fc.nat({ max: 43 }).map((length) => good.slice(0, length) || 'x');
    const longer = fc.constantFrom(...characters).map((other) => good + other);
    const otherCase = fc.constantFrom(good.toUpperCase(), good.toLowerCase());
    await fc.assert(
      fc.asyncProperty(fc.oneof(random, changed, cut, longer, otherCase), async (secret) => {
        fc.pre(![good, disabled, unplanned].includes(secret));
        expect(await send(secret)).toEqual(DENY);
      }),
      { numRuns: 1000 },
    );
    expect(asked.every((digest) => /^[0-9a-f]{64}$/.test(digest))).toBe(true);
  });

  it('S5.09 denies the keys of another stage, even where one has a row', async () => {
    expect(isKeyForm(live)).toBe(true);
    expect(await authorizer('pcd_dev').send(live)).toEqual(DENY);
    expect(await authorizer('pcd_live').send(good)).toEqual(DENY);
    expect((await authorizer('pcd_live').send(live)).usageIdentifierKey).toBe(keyDigest(live));
  });

  it('finds the header whatever its case, and takes the same value twice for one', async () => {
    const { authorize, send } = authorizer();
    const event = { methodArn: METHOD_ARN, headers: { 'x-api-key': good }, multiValueHeaders: {} };
    expect((await authorize(event)).usageIdentifierKey).toBe(keyDigest(good));
    expect((await send(good, good)).usageIdentifierKey).toBe(keyDigest(good));
  });

  it('denies two different keys at once: the gateway may cache the response for the other one', async () => {
    expect(await authorizer().send(disabled, good)).toEqual(DENY);
  });

  it.each([
    ['no header', {}],
    ['an empty one', { 'X-API-Key': '' }],
  ])('throws what the gateway turns into the response to a missing key on %s', async (_, headers) => {
    const { authorize } = authorizer();
    await expect(authorize({ methodArn: METHOD_ARN, headers, multiValueHeaders: {} })).rejects.toThrow(
      /^Unauthorized$/,
    );
  });

  it('S5.15 denies every key when the key table fails, and names no key', async () => {
    const find = () => Promise.reject(new Error('keys failed: TimeoutError'));
    const authorize = createAuthorizer({ keys: { find }, prefix: 'pcd_dev', now: () => NOW });
    const event = { methodArn: METHOD_ARN, headers: { 'X-API-Key': good }, multiValueHeaders: {} };
    const failure = await authorize(event).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Error);
    expect(String(failure)).not.toContain(good);
    expect((failure as Error).message).not.toBe('Unauthorized');
  });
});
