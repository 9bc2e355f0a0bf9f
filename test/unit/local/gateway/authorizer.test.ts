/** The policies of authorizers: deny wins, no statement denies, and an unsupported policy denies. */
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readGrant } from '../../../../local/gateway/authorizer.ts';

const ARN = 'arn:aws:execute-api:local:000000000000:api/dev/GET/v1/ports/USLAX/trend';
const policy = (...Statement: object[]) => ({
  principalId: 'p',
  policyDocument: { Version: '2012-10-17', Statement },
});
const statement = (Effect: string, Resource: unknown, Action: unknown = 'execute-api:Invoke') => ({
  Effect,
  Resource,
  Action,
});

describe('a policy', () => {
  it.each([
    ['allows all', [statement('Allow', '*')], true],
    ['allows the stage', [statement('Allow', 'arn:aws:execute-api:*:*:api/dev/*')], true],
    ['allows exactly this', [statement('Allow', ARN)], true],
    ['allows by any of a list', [statement('Allow', ['x', ARN])], true],
    ['allows by a single character', [statement('Allow', ARN.replace('USLAX', 'USLA?'))], true],
    ['allows any action', [statement('Allow', '*', 'execute-api:*')], true],
    ['allows another stage', [statement('Allow', 'arn:aws:execute-api:*:*:api/prod/*')], false],
    ['allows another action', [statement('Allow', '*', 'execute-api:ManageConnections')], false],
    ['denies what it allows', [statement('Allow', '*'), statement('Deny', '*/trend')], false],
    ['denies something else', [statement('Allow', '*'), statement('Deny', '*/alerts')], true],
    ['only denies', [statement('Deny', 'nothing')], false],
    ['has a dot for itself', [statement('Allow', ARN.replace('api', 'a.i'))], false],
  ])('%s', (_, statements, allowed) => {
    expect(readGrant(policy(...statements))?.allows(ARN)).toBe(allowed);
  });

  it.each([
    ['nothing', undefined],
    ['no principal', { policyDocument: policy(statement('Allow', '*')).policyDocument }],
    ['no statement', policy()],
    ['a condition', policy({ ...statement('Allow', '*'), Condition: {} })],
    ['a not', policy({ Effect: 'Allow', Action: 'execute-api:Invoke', NotResource: '*' })],
    ['an unknown effect', policy(statement('Maybe', '*'))],
    ['a list in its context', { ...policy(statement('Allow', '*')), context: { a: [] } }],
  ])('with %s is none', (_, result) => {
    expect(readGrant(result)).toBeUndefined();
  });

  it('hands its context on as text, with the principal', () => {
    const grant = readGrant({
      ...policy(statement('Allow', '*')),
      context: { n: 1, b: true },
      usageIdentifierKey: 'k',
    });
    expect([grant?.context, grant?.usageIdentifierKey]).toEqual([
      { principalId: 'p', n: '1', b: 'true' },
      'k',
    ]);
  });

  it('takes every ARN literally that has no wildcard', () => {
    const plain = fc.string({ unit: 'grapheme-ascii' }).filter((text) => text !== '' && !/[*?]/.test(text));
    fc.assert(
      fc.property(plain, plain, (resource, asked) => {
        expect(readGrant(policy(statement('Allow', resource)))?.allows(asked)).toBe(resource === asked);
      }),
      { seed: 1, numRuns: 300 },
    );
  });
});
