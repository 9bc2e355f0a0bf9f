/** The key command from its arguments to its exit code, on a control plane in memory. */
import { beforeEach, describe, expect, it } from '@jest/globals';
import { KeyAdministrationFailure } from '../../../../core/access/administration.ts';
import { checksumHolds, keyDigest } from '../../../../core/access/keys.ts';
import { StartError, UsageError } from '../../../../local/command-line.ts';
import { type KeyStage, runKeyCommand, type Target } from '../../../../tools/keys/key-commands.ts';
import { ListedKeys } from '../../../builders/listed-keys.ts';

let gateway: ListedKeys;
let printed: string[];
let complaints: string[];
let synchronized: number;
let synchronize: KeyStage['synchronize'];
let targets: Target[];

const run = (line: string): Promise<number> =>
  runKeyCommand(line.split(' ').filter(Boolean), {
    openStage: async (target) => {
      targets.push(target);
      const stage = 'stage' in target ? target.stage : 'dev';
      if ('dataDir' in target && target.dataDir === 'idle') throw new StartError('no service runs on idle');
      return {
        stage,
        kind: stage === 'prod' ? 'live' : 'dev',
        administration: gateway,
        synchronize: (expected) => synchronize(expected),
      };
    },
    print: (text) => printed.push(text),
    complain: (text) => complaints.push(text),
  });

const said = (): string => printed.join('\n');
const secretIn = (text: string): string => /pcd_(?:dev|live)_[A-Za-z0-9]+/.exec(text)?.[0] ?? '';
/** Makes a key and forgets what was printed; returns its id and secret. */
async function make(name: string, plan = 'starter'): Promise<{ id: string; secret: string }> {
  expect(await run(`create --plan ${plan} --name ${name}`)).toBe(0);
  const secret = secretIn(said());
  printed = [];
  synchronized = 0;
  return { id: gateway.keyList.find((key) => key.name === name)?.id ?? '', secret };
}

beforeEach(() => {
  gateway = new ListedKeys();
  for (const tier of ['lite', 'starter', 'pro'])
    gateway.planList.push({ id: `plan-${tier}`, name: `Dev ${tier}`, tier });
  printed = [];
  complaints = [];
  targets = [];
  synchronized = 0;
  synchronize = async () => {
    synchronized += 1;
  };
});

describe('create', () => {
  it('S5.08 prints the secret once, gives the control plane its digest alone, and reconciles at once', async () => {
    const expected: unknown[] = [];
    synchronize = async (key) => {
      synchronized += 1;
      expected.push(key);
      expect(said()).toBe('');
    };
    expect(await run('create --plan starter --name acme')).toBe(0);
    expect(expected).toEqual([{ keyId: 'key-1', planId: 'plan-starter' }]);
    synchronize = async () => undefined;
    const secret = secretIn(said());
    expect(checksumHolds(secret)).toBe(true);
    expect(said().split(secret)).toHaveLength(2);
    expect(gateway.keyList).toEqual([
      expect.objectContaining({ name: 'acme', value: keyDigest(secret), enabled: true, stage: 'dev' }),
    ]);
    expect(gateway.planIdOf.get('key-1')).toBe('plan-starter');
    expect(JSON.stringify(gateway.keyList)).not.toContain(secret);
    expect(synchronized).toBe(1);
    for (const later of ['list', 'disable key-1', 'enable key-1', 'move key-1 --plan pro']) {
      printed = [];
      expect(await run(later)).toBe(0);
      expect(said()).not.toContain(secret);
      expect(said()).not.toContain(keyDigest(secret));
    }
  });

  it('makes production keys for prod and development keys elsewhere, each named for its stage', async () => {
    await run('create --plan pro --name acme --stage prod');
    expect(said()).toMatch(/pcd_live_/);
    expect(gateway.keyList[0]?.stage).toBe('prod');
  });

  it('leaves no key behind that could not be put on its plan', async () => {
    gateway.addToPlan = async () => {
      throw new KeyAdministrationFailure('unavailable', 'putting the key on the plan: time-out');
    };
    expect(await run('create --plan pro --name acme')).toBe(1);
    expect(gateway.keyList).toEqual([]);
    expect(said()).toBe('');
  });

  it.each(['create --plan pro --name acme', 'rotate key-1 --revoke'])(
    '%s makes no key where its secret would not work',
    async (line) => {
      await make('old');
      const before = JSON.stringify([gateway.keyList, [...gateway.planIdOf]]);
      synchronize = async () => {
        throw new Error('Function not found\nat somewhere');
      };
      expect(await run(line)).toBe(1);
      expect(said()).toBe('');
      expect(complaints).toEqual([
        'keys: no key is made: it does not reach the service (Function not found); try again',
      ]);
      expect(JSON.stringify([gateway.keyList, [...gateway.planIdOf]])).toBe(before);
    },
  );

  it('makes the demo key of a dev stage', async () => {
    expect(await run('create --demo')).toBe(0);
    expect(gateway.keyList[0]?.name).toBe('demo');
    expect(gateway.planIdOf.get('key-1')).toBe('plan-starter');
  });
});

describe('the other commands', () => {
  it('list shows plan, state, age and the logged digits of each key', async () => {
    const { secret } = await make('acme', 'lite');
    await make('beta', 'pro');
    await run('disable key-2');
    gateway.keyList.push(
      { id: 'hand', name: 'console', value: 'not-a-digest', enabled: true },
      { id: 'alien', name: 'of prod', value: keyDigest('x'), enabled: true, stage: 'prod' },
    );
    gateway.planIdOf.set('hand', 'plan-lite');
    printed = [];
    expect(await run('list')).toBe(0);
    expect(said().split('\n')).toEqual([
      'ID     NAME     PLAN             STATE     CREATED     LOGGED AS',
      `key-1  acme     lite (Dev lite)  enabled   2026-11-20  ${keyDigest(secret).slice(0, 8)}`,
      expect.stringMatching(/^key-2 {2}beta {5}pro \(Dev pro\) {4}disabled {2}2026-11-20 {2}[0-9a-f]{8}$/),
      'hand   console  lite (Dev lite)  enabled   unknown     value of no key: ignored',
    ]);
    expect(said()).not.toContain('not-a-digest');
    expect(synchronized).toBe(1);
  });

  it('S5.10 disable refuses the key, enable takes it again', async () => {
    const { id } = await make('acme');
    expect(await run(`disable ${id}`)).toBe(0);
    expect(gateway.keyList[0]?.enabled).toBe(false);
    expect(said()).toBe(`acme (${id}): disabled, plan starter (Dev starter)`);
    expect(await run(`enable ${id}`)).toBe(0);
    expect(gateway.keyList[0]?.enabled).toBe(true);
    expect(printed[1]).toContain('for up to 60 seconds more');
    expect(synchronized).toBe(2);
  });

  it('move puts the key on another plan, and back where it was when that fails', async () => {
    const { id } = await make('acme');
    expect(await run(`move ${id} --plan pro`)).toBe(0);
    expect(said()).toContain('for up to 60 seconds more');
    expect(gateway.planIdOf.get(id)).toBe('plan-pro');
    const add = gateway.addToPlan.bind(gateway);
    gateway.addToPlan = async (keyId, planId) => {
      if (planId === 'plan-lite') throw new KeyAdministrationFailure('unavailable', 'time-out');
      return add(keyId, planId);
    };
    expect(await run(`move ${id} --plan lite`)).toBe(1);
    expect(gateway.planIdOf.get(id)).toBe('plan-pro');
  });

  it('rotate makes a new key in its place; the old one works on until it is disabled', async () => {
    const { id, secret } = await make('acme', 'pro');
    expect(await run(`rotate ${id}`)).toBe(0);
    const fresh = gateway.keyList[1];
    expect(fresh).toMatchObject({ name: 'acme', value: keyDigest(secretIn(said())), enabled: true });
    expect(fresh?.value).not.toBe(keyDigest(secret));
    expect(gateway.planIdOf.get(fresh?.id ?? '')).toBe('plan-pro');
    expect(gateway.keyList[0]).toMatchObject({ name: `acme (replaced by ${fresh?.id})`, enabled: true });
    expect(said()).toContain(`disable ${id}`);
  });

  it('rotate --revoke disables the old one at once', async () => {
    const { id } = await make('acme', 'pro');
    expect(await run(`rotate ${id} --revoke`)).toBe(0);
    expect(gateway.keyList.map(({ enabled }) => enabled)).toEqual([false, true]);
  });

  it('rotate refuses a key that was replaced already, and names the one in its place', async () => {
    const { id } = await make('acme', 'pro');
    await run(`rotate ${id}`);
    const before = JSON.stringify(gateway.keyList);
    expect(await run(`rotate ${id} --revoke`)).toBe(1);
    expect(complaints).toEqual([
      `keys: ${id} was replaced by ${gateway.keyList[1]?.id} already: rotate that one`,
    ]);
    expect(JSON.stringify(gateway.keyList)).toBe(before);
  });

  it('rotate refuses a key on no plan, whose replacement would be refused as well', async () => {
    const { id } = await make('acme', 'pro');
    await gateway.removeFromPlan(id, 'plan-pro');
    expect(await run(`rotate ${id}`)).toBe(1);
    expect(complaints.join()).toContain(`${id} is on no plan`);
    expect(gateway.keyList).toHaveLength(1);
  });

  it('rotate leaves no key behind whose secret was never shown', async () => {
    const { id } = await make('acme', 'pro');
    gateway.rename = async () => {
      throw new KeyAdministrationFailure('unavailable', 'renaming the key: time-out');
    };
    expect(await run(`rotate ${id}`)).toBe(1);
    expect(gateway.keyList.map((key) => key.id)).toEqual([id]);
    expect(said()).toBe('');
  });
});

/** What the console generates as the value of a key. */
const GENERATED = 'AbCdEf0123456789AbCdEf0123456789AbCdEf01';

describe("another team's API in the account", () => {
  beforeEach(() => {
    // Their plan is of another API, so the control plane does not list it for ours.
    gateway.keyList.push({ id: 'theirs', name: 'billing', value: 'AbCdEf0123456789AbCd', enabled: true });
    gateway.planIdOf.set('theirs', 'plan-of-another-api');
  });

  it.each(['disable theirs', 'enable theirs', 'rotate theirs --revoke', 'move theirs --plan pro'])(
    'is not touched by %s',
    async (line) => {
      const before = JSON.stringify(gateway.keyList);
      expect(await run(line)).toBe(1);
      expect(complaints).toEqual(['keys: there is no key theirs on dev: see the list command']);
      expect(JSON.stringify(gateway.keyList)).toBe(before);
      expect(gateway.planIdOf.get('theirs')).toBe('plan-of-another-api');
    },
  );

  it('is not listed, and a key of ours may have the name of one of theirs', async () => {
    await run('list');
    expect(said()).not.toContain('billing');
    expect(await run('create --plan pro --name billing')).toBe(0);
  });

  it('is distinguished from a key of the stage that is on no plan, or that the console put on one', async () => {
    const { id } = await make('acme');
    gateway.planIdOf.delete(id);
    gateway.keyList.push({ id: 'console', name: 'console', value: GENERATED, enabled: true });
    gateway.planIdOf.set('console', 'plan-pro');
    await run('list');
    expect(said()).toMatch(new RegExp(`^${id} +acme +none`, 'm'));
    const logged = keyDigest(`pcd_dev_${GENERATED}`).slice(0, 8);
    expect(said()).toMatch(new RegExp(`^console +console .* ${logged}$`, 'm'));
    expect(said()).not.toContain(GENERATED);
  });
});

describe('what goes wrong is one clear line', () => {
  it.each([
    [
      'create --plan gold --name x',
      1,
      'there is no plan gold on dev; there are: lite (Dev lite), starter (Dev starter), pro (Dev pro)',
    ],
    ['create --plan pro --name acme', 1, 'there is a key named acme on dev already: key-1'],
    ['disable key-9', 1, 'there is no key key-9 on dev: see the list command'],
    ['move key-1 --plan gold', 1, 'there is no plan gold'],
    ['move key-1 --plan starter', 1, 'acme is on starter (Dev starter) already'],
    ['rotate key-9', 1, 'there is no key key-9'],
  ])('%s', async (line, code, message) => {
    await make('acme');
    const before = JSON.stringify([gateway.keyList, [...gateway.planIdOf]]);
    expect(await run(line)).toBe(code);
    expect(complaints).toEqual([expect.stringContaining(`keys: ${message}`)]);
    expect(complaints[0]).not.toContain('\n');
    expect(JSON.stringify([gateway.keyList, [...gateway.planIdOf]])).toBe(before);
    expect(synchronized).toBe(0);
  });

  it('two plans of one tier want an id', async () => {
    gateway.planList.push({ id: 'plan-big', name: 'Big', tier: 'pro' });
    expect(await run('create --plan pro --name acme')).toBe(1);
    expect(complaints[0]).toBe(
      'keys: several plans are called pro, name one by its id: plan-pro (Dev pro), plan-big (Big)',
    );
    expect(await run('create --plan Big --name acme')).toBe(0);
    expect(await run('create --plan plan-pro --name other')).toBe(0);
    expect([...gateway.planIdOf.values()]).toEqual(['plan-big', 'plan-pro']);
  });

  it.each([
    [
      'no_credentials',
      'no working AWS credentials or region: set AWS_PROFILE and AWS_REGION, or use --local',
    ],
    ['not_allowed', 'these credentials may not administer keys'],
    ['unavailable', 'the control plane does not respond as expected'],
  ] as const)('%s', async (reason, message) => {
    gateway.onListing = () => {
      throw new KeyAdministrationFailure(reason, 'listing plans: because');
    };
    expect(await run('create --plan pro --name acme')).toBe(1);
    expect(complaints).toEqual([`keys: ${message} (listing plans: because)`]);
  });

  it('a change that cannot be carried over at once is made all the same, and says so', async () => {
    const { id } = await make('acme');
    synchronize = async () => {
      throw new Error('Function not found\nat somewhere');
    };
    expect(await run(`disable ${id}`)).toBe(0);
    expect(gateway.keyList[0]?.enabled).toBe(false);
    expect(complaints).toEqual([
      'keys: the change is made, but reaches the service only within five minutes (Function not found)',
    ]);
  });

  it('a stage that cannot be opened', async () => {
    expect(await run('list --local --data-dir idle')).toBe(1);
    expect(complaints).toEqual(['keys: no service runs on idle']);
  });

  it('a fault of ours is not dressed up', async () => {
    gateway.onListing = () => {
      throw new TypeError('undefined is not a function');
    };
    await expect(run('list')).rejects.toThrow(TypeError);
  });
});

describe('the command line', () => {
  it.each([
    ['list', { stage: 'dev' }],
    ['list --stage prod', { stage: 'prod' }],
    ['list --local', { dataDir: '.data' }],
    ['list --local --data-dir /d', { dataDir: '/d' }],
  ])('%s', async (line, target) => {
    await run(line);
    expect(targets).toEqual([target]);
  });

  it.each([
    ['', 'a command is missing'],
    ['destroy k1', 'there is no command destroy'],
    ['toString', 'there is no command toString'],
    ['create --name acme', '--plan is missing'],
    ['create --plan pro', '--name is missing'],
    ['create --plan pro --name', "option '--name <name>' argument missing"],
    ['create --plan pro --name pcd_dev_abc', 'a secret does not belong on a command line'],
    ['disable PCD_LIVE_abc', 'a secret does not belong on a command line'],
    ['create --plan pro --name <b>', 'a name is'],
    ['create acme --plan pro --name acme', "too many arguments for 'create'"],
    ['create --demo --name acme', 'the demo key is named demo'],
    ['create --demo --stage prod', 'prod has no demo key'],
    ['disable', "missing required argument 'key_id'"],
    ['disable k1 k2', "too many arguments for 'disable'"],
    ['move k1', "required option '--plan <plan>' not specified"],
    ['list --stage test', 'there is no stage test'],
    ['list --local --stage dev', '--local and --stage exclude each other'],
    ['list --data-dir /d', '--data-dir goes with --local'],
    ['list --port 1', /^unknown option '--port'$/],
  ])('"%s" is refused: %s', async (line, message) => {
    await expect(run(line)).rejects.toThrow(message);
    await expect(run(line)).rejects.toThrow(UsageError);
    expect(targets).toEqual([]);
  });
});
