/** The check of a new version, before requests reach it: over the handlers of the service, and over versions with a fault. */
import { describe, expect, it } from '@jest/globals';
import { keyDigest, mintKey } from '../../../../core/access/keys.ts';
import { OPERATION_IDS } from '../../../../core/contracts/routes.ts';
import { TABLES, type TableId } from '../../../../core/store/tables.ts';
import { createAuthorizer } from '../../../../lambdas/authorizer/authorizer.ts';
import { createVersionCheck } from '../../../../lambdas/version-check/version-check.ts';
import { INVOCATION } from '../../../builders/gateway-event.ts';
import { handlersOver, type Tables } from '../../../builders/keyed-handlers.ts';
import { memoryTables } from '../../../builders/memory-table.ts';
import { fillServedTables } from '../../../builders/served-tables.ts';

const NOW = Date.UTC(2026, 10, 20, 12);
const GROUPS = [...OPERATION_IDS, 'authorizer'];
const EVENT = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'e-1' };
const demoKey = mintKey('dev', (count) => new Uint8Array(count).fill(7));

type Version = (event: never) => Promise<unknown>;

/** The new versions of a stage with figures, or of one that has just been made. */
async function newVersions(filled: boolean): Promise<Record<string, Version>> {
  const tables: Tables = memoryTables(Object.keys(TABLES) as TableId[]);
  if (filled) await fillServedTables(tables, NOW);
  const handlers = handlersOver(tables, { now: () => NOW });
  const row = { digest: keyDigest(demoKey), keyId: 'id', name: 'demo', enabled: true } as const;
  const authorize = createAuthorizer({
    keys: {
      find: async (digest) => (digest === row.digest ? { ...row, planId: 'p', tier: 'starter' } : undefined),
    },
    prefix: 'pcd_dev',
    now: () => NOW,
  });
  return {
    ...Object.fromEntries(
      OPERATION_IDS.map((id): [string, Version] => [id, (event) => handlers[id](event, INVOCATION)]),
    ),
    authorizer: authorize as Version,
  };
}

interface Checked {
  readonly group: string;
  readonly filled?: boolean;
  /** Versions that replace those of the service. */
  readonly faulty?: Readonly<Record<string, Version>>;
  readonly key?: string | undefined;
  readonly clock?: ReturnType<typeof stopped>;
}

/** A clock that moves in pauses alone. */
function stopped() {
  let passed = 0;
  return {
    now: () => NOW + passed,
    pass: (ms: number) => {
      passed += ms;
    },
    passed: () => passed,
  };
}

/** What the check of a group reports, and why. */
async function check({ group, filled = true, faulty = {}, key = demoKey, clock = stopped() }: Checked) {
  const versions = { ...(await newVersions(filled)), ...faulty };
  const reported: unknown[] = [];
  const run = createVersionCheck({
    versions: Object.fromEntries(GROUPS.map((name) => [name, `arn:${name}`])),
    keyPrefix: 'pcd_dev',
    demoKey: key === '' ? undefined : key,
    deploymentGroup: async () => group,
    invoke: async (version, event) => {
      const answer = await versions[version.slice('arn:'.length)]?.(
        JSON.parse(JSON.stringify(event)) as never,
      );
      return JSON.parse(JSON.stringify(answer));
    },
    report: async (event, status) => {
      reported.push([event, status]);
    },
    now: clock.now,
    random: () => 0.5,
    sleep: async (ms) => clock.pass(ms),
  });
  const { fault } = await run(EVENT);
  expect(reported).toEqual([[EVENT, fault === undefined ? 'Succeeded' : 'Failed']]);
  return fault;
}

type Change = (response: { statusCode: number; headers: Record<string, string>; body: string }) => object;

/** A version that responds as the service does, but for what `change` makes of it. */
async function changed(group: string, change: Change): Promise<Readonly<Record<string, Version>>> {
  const { [group]: version } = await newVersions(true);
  return { [group]: async (event) => change((await version?.(event)) as never) };
}

describe.each(GROUPS)('a new version of %s', (group) => {
  it('is taken when it responds as the contract says, with figures and without', async () => {
    expect(await check({ group })).toBeUndefined();
    expect(await check({ group, filled: false })).toBeUndefined();
  });

  it('is refused when it throws', async () => {
    const faulty = { [group]: () => Promise.reject(new Error('Unhandled: out of memory')) };
    expect(await check({ group, faulty })).toMatch(/out of memory/);
  });

  it('is refused when it responds with nothing', async () => {
    expect(await check({ group, faulty: { [group]: async () => null } })).toMatch(/no (response|decision)/);
  });
});

describe.each(OPERATION_IDS)('a new version of the endpoint %s', (group) => {
  const withHeader =
    (name: string, change: (value: string | undefined) => string): Change =>
    ({ headers, ...response }) => ({ ...response, headers: { ...headers, [name]: change(headers[name]) } });

  it.each<[string, Change, RegExp]>([
    ['is refused with a 500', (response) => ({ ...response, statusCode: 500 }), /status 500/],
    [
      'is refused with a body of another shape',
      (response) => ({ ...response, body: '{"shape":"another"}' }),
      /not of the contract/,
    ],
    [
      'is refused with another request id',
      withHeader('x-request-id', () => 'another'),
      /x-request-id is another/,
    ],
    [
      'is refused with the caching of others',
      withHeader('Cache-Control', (value) => (value === 'no-store' ? 'public' : 'no-store')),
      /Cache-Control/,
    ],
  ])('%s', async (_what, change, fault) => {
    expect(await check({ group, faulty: await changed(group, change) })).toMatch(fault);
  });
});

describe('a field that the contract does not have', () => {
  it('is a reason to refuse, because a schema alone would overlook it', async () => {
    const faulty = await changed('snapshot', (response) => ({
      ...response,
      body: JSON.stringify({ ...JSON.parse(response.body), secret: 1 }),
    }));
    expect(await check({ group: 'snapshot', faulty })).toMatch(/not of the contract/);
  });
});

describe('the port that is asked for', () => {
  it('is one with figures: a 404 is refused where there is one', async () => {
    const { snapshot } = await newVersions(false);
    expect(await check({ group: 'snapshot', faulty: { snapshot: snapshot as Version } })).toMatch(
      /status 404/,
    );
  });

  it('cannot be asked for when the new list of ports is broken', async () => {
    const faulty = await changed('ports', (response) => ({ ...response, body: `[]${response.body}` }));
    expect(await check({ group: 'trend', faulty })).toMatch(/the list of ports: the body/);
  });
});

describe('a new version of the authorizer', () => {
  it('must deny a key that was never issued, where the stage has no public key', async () => {
    const allow = async () => ({
      principalId: 'anybody',
      policyDocument: { Statement: [{ Effect: 'Allow' }] },
    });
    expect(await check({ group: 'authorizer', key: '' })).toBeUndefined();
    expect(await check({ group: 'authorizer', key: '', faulty: { authorizer: allow } })).toMatch(
      /Allow instead of Deny/,
    );
  });

  it('must let the public key in', async () => {
    const { authorizer } = await newVersions(true);
    const forgetful: Version = (event) =>
      authorizer?.(
        JSON.parse(JSON.stringify(event).replaceAll(demoKey, `pcd_dev_${'1'.repeat(36)}`)) as never,
      ) as never;
    expect(await check({ group: 'authorizer', faulty: { authorizer: forgetful } })).toMatch(
      /Deny instead of Allow/,
    );
  });
});

describe('an account without concurrency left', () => {
  const throttled = () =>
    Promise.reject(Object.assign(new Error('Rate exceeded'), { name: 'TooManyRequestsException' }));

  it.each(['trend', 'authorizer'])('is asked again, and the new version of %s is taken', async (group) => {
    const clock = stopped();
    const { [group]: version } = await newVersions(true);
    const busy: Version = (event) => (clock.passed() < 30_000 ? throttled() : (version?.(event) as never));
    expect(await check({ group, faulty: { [group]: busy }, clock })).toBeUndefined();
    expect(clock.passed()).toBeGreaterThanOrEqual(30_000);
  });

  it('fails the check after 40 seconds, however many versions it asks', async () => {
    const clock = stopped();
    const { ports } = await newVersions(true);
    const late: Version = (event) => (clock.passed() < 30_000 ? throttled() : (ports?.(event) as never));
    const faulty = { ports: late, trend: throttled };
    expect(await check({ group: 'trend', faulty, clock })).toMatch(/Rate exceeded/);
    expect(clock.passed()).toBeGreaterThan(35_000);
    expect(clock.passed()).toBeLessThanOrEqual(40_000);
  });

  it('is the only reason to ask again', async () => {
    const clock = stopped();
    const faulty = { trend: () => Promise.reject(new Error('AccessDeniedException')) };
    expect(await check({ group: 'trend', faulty, clock })).toMatch(/AccessDenied/);
    expect(clock.passed()).toBe(0);
  });
});

it('a group that no version is known of is refused', async () => {
  expect(await check({ group: 'another' })).toMatch(/another/);
});
