/** The key commands, on any control plane: make, list, disable, enable, move and rotate keys. */
import { randomBytes } from 'node:crypto';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { GetFunctionConfigurationCommand, InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { type Command, Option } from 'commander';
import {
  type AdministeredKey,
  type AdministeredPlan,
  belongsTo,
  type KeyAdministration,
  KeyAdministrationFailure,
  type KeyAdministrationReason,
  keySyncFunctionName,
} from '../../core/access/administration.ts';
import { asked, createGatewayKeyAdministration } from '../../core/access/gateway-administration.ts';
import {
  AUTHORIZER_TTL_SECONDS,
  createKeyStore,
  digestPrefix,
  KEY_PREFIXES,
  type KeyKind,
  keyDigest,
  mintKey,
  readGatewayValue,
} from '../../core/access/keys.ts';
import type { ExpectedKey } from '../../lambdas/key-sync/key-sync.ts';
import { command, parseAndAct, StartError, UsageError } from '../../local/command-line.ts';
import { findService } from '../../local/data-directory.ts';
import { LOCAL_STAGE, localKeyAdministration } from '../../local/keys.ts';
import { openStoreTables } from '../../local/tables.ts';
import { textTable } from '../text-table.ts';

/** Where keys are administered: a deployed stage, or the service on this machine. */
export interface KeyStage {
  /** Its name, with which its keys are tagged. */
  readonly stage: string;
  readonly kind: KeyKind;
  readonly administration: KeyAdministration;
  /** Applies the changes so far to the key table. Throws when that fails, or when the table then lacks `expected`. */
  readonly synchronize: (expected?: ExpectedKey) => Promise<unknown>;
}

const firstLine = (thrown: unknown): string =>
  (thrown instanceof Error ? thrown.message : String(thrown)).split('\n', 1)[0] ?? '';

/** A key of the stage, and its plan; undefined where it is on none. */
interface OwnKey {
  readonly key: AdministeredKey;
  readonly plan: AdministeredPlan | undefined;
}

/** A new key. Its secret is stored nowhere and must be shown now. */
interface IssuedKey {
  readonly id: string;
  readonly name: string;
  readonly plan: AdministeredPlan;
  readonly secret: string;
}

/** In the name of a rotated key: the id of its replacement. */
const SUCCESSOR = / \(replaced by (\S+)\)$/;

const planLabel = ({ tier, name }: AdministeredPlan): string =>
  tier === undefined ? name : `${tier} (${name})`;

function createKeyCommands({ administration, stage, kind, synchronize }: KeyStage) {
  /** The keys of this stage of this API. Keys of other APIs in the account are never touched. */
  async function ownKeys(): Promise<OwnKey[]> {
    const plans = new Map<string, AdministeredPlan>();
    for (const plan of await administration.plans())
      for (const keyId of await administration.keyIdsOf(plan.id)) plans.set(keyId, plan);
    const keys = (await administration.keys()).filter((key) => belongsTo(stage, key, plans));
    return keys.map((key) => ({ key, plan: plans.get(key.id) }));
  }

  async function ownKey(keyId: string): Promise<OwnKey> {
    const found = (await ownKeys()).find(({ key }) => key.id === keyId);
    if (found === undefined)
      throw new StartError(`there is no key ${keyId} on ${stage}: see the list command`);
    return found;
  }

  /** A plan by its id, its tier or its name. */
  async function toPlan(given: string): Promise<AdministeredPlan> {
    const plans = await administration.plans();
    const byId = plans.find(({ id }) => id === given);
    const found = byId ? [byId] : plans.filter(({ tier, name }) => tier === given || name === given);
    const [plan, rival] = found;
    if (plan === undefined) {
      const labels = plans.map(planLabel).join(', ');
      throw new StartError(`there is no plan ${given} on ${stage}; there are: ${labels || 'none'}`);
    }
    if (rival !== undefined) {
      const choices = found.map(({ id, name }) => `${id} (${name})`).join(', ');
      throw new StartError(`several plans are called ${given}, name one by its id: ${choices}`);
    }
    return plan;
  }

  /**
   * Creates a key on `plan` and returns it once the key table has it. The secret is not known to anyone before, so no refusal of it can have been
   * cached. A key that does not reach the table is deleted again.
   */
  async function issue(name: string, plan: AdministeredPlan): Promise<IssuedKey> {
    const secret = mintKey(kind, randomBytes);
    const id = await administration.create({ name, digest: keyDigest(secret), stage });
    try {
      await administration.addToPlan(id, plan.id);
      await synchronize({ keyId: id, planId: plan.id }).catch((thrown) => {
        const why = firstLine(thrown);
        throw new StartError(`no key is made: it does not reach the service (${why}); try again`);
      });
    } catch (error) {
      await administration.delete(id);
      throw error;
    }
    return { id, name, secret, plan };
  }

  return {
    async create(name: string, planName: string): Promise<IssuedKey> {
      const plan = await toPlan(planName);
      const rival = (await ownKeys()).find(({ key }) => key.name === name);
      if (rival !== undefined)
        throw new StartError(`there is a key named ${name} on ${stage} already: ${rival.key.id}`);
      return issue(name, plan);
    },

    async list(): Promise<OwnKey[]> {
      const keys = await ownKeys();
      return keys.sort(
        ({ key: a }, { key: b }) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? -1 : 1),
      );
    },

    async setEnabled(keyId: string, enabled: boolean): Promise<OwnKey> {
      const { key, plan } = await ownKey(keyId);
      await administration.setEnabled(keyId, enabled);
      return { key: { ...key, enabled }, plan };
    },

    async move(keyId: string, planName: string): Promise<OwnKey> {
      const { key, plan: before } = await ownKey(keyId);
      const plan = await toPlan(planName);
      if (before?.id === plan.id) throw new StartError(`${key.name} is on ${planLabel(plan)} already`);
      if (before !== undefined) await administration.removeFromPlan(keyId, before.id);
      try {
        await administration.addToPlan(keyId, plan.id);
      } catch (error) {
        if (before !== undefined) await administration.addToPlan(keyId, before.id);
        throw error;
      }
      return { key, plan };
    },

    /** A new key that replaces an old one, which continues to work unless it is revoked; once for each key. */
    async rotate(keyId: string, revoke: boolean): Promise<IssuedKey> {
      const { key: old, plan } = await ownKey(keyId);
      const successor = SUCCESSOR.exec(old.name)?.[1];
      if (successor !== undefined)
        throw new StartError(`${keyId} was replaced by ${successor} already: rotate that one`);
      if (plan === undefined)
        throw new StartError(
          `${keyId} is on no plan, so its replacement would be refused too: move it to one`,
        );
      const fresh = await issue(old.name, plan);
      try {
        if (revoke) await administration.setEnabled(keyId, false);
        await administration.rename(keyId, `${old.name} (replaced by ${fresh.id})`);
      } catch (error) {
        await administration.delete(fresh.id);
        throw error;
      }
      return fresh;
    },
  };
}

// Runs one key command, from its command line to its text and exit code.

const ABOUT = `Administers API keys. PLAN is a tier (lite, starter, pro), a plan's name or its id. A deployed stage is reached with the
ordinary AWS credentials and region (AWS_PROFILE, AWS_REGION); --local is the service that npm start runs on this machine.`;

type StageName = 'dev' | 'prod';

/** A deployed stage, or the data directory of the service on this machine. */
export type Target = { readonly stage: StageName } | { readonly dataDir: string };

interface PlaceValues {
  readonly stage?: StageName;
  readonly local?: true;
  readonly dataDir?: string;
}
interface CreateValues extends PlaceValues {
  readonly plan?: string;
  readonly name?: string;
  readonly demo?: true;
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .,_@&()+-]{0,99}$/u;
/** A text that looks like a secret is never printed, not even in an error message. */
const SECRET = /pcd_(dev|live)_/i;

function readStage(stage: string): StageName {
  if (stage === 'dev' || stage === 'prod') return stage;
  throw new UsageError(`there is no stage ${stage}: dev or prod`);
}

function readTarget({ stage, local, dataDir }: PlaceValues): Target {
  if (local && stage !== undefined) throw new UsageError('--local and --stage exclude each other');
  if (!local && dataDir !== undefined) throw new UsageError('--data-dir goes with --local');
  return local ? { dataDir: dataDir ?? '.data' } : { stage: stage ?? 'dev' };
}

function readNewKey({ stage, demo, plan, name }: CreateValues) {
  if (demo) {
    if (stage === 'prod') throw new UsageError('prod has no demo key');
    if (name !== undefined || plan !== undefined)
      throw new UsageError('the demo key is named demo and is on starter');
    return { name: 'demo', plan: 'starter' };
  }
  if (!name) throw new UsageError('--name is missing');
  if (!NAME.test(name)) throw new UsageError('a name is 1 to 100 letters, digits, spaces and .,_@&()+-');
  if (!plan) throw new UsageError('--plan is missing');
  return { name, plan };
}

const planText = (plan: AdministeredPlan | undefined): string => {
  if (plan === undefined) return 'none';
  return plan.tier === undefined ? `${plan.name} (no tier: refused)` : `${plan.tier} (${plan.name})`;
};

const stateText = (enabled: boolean): string => (enabled ? 'enabled' : 'disabled');

/** A table of keys, with the first digits of the digest, by which log lines name the key: never its secret or its whole digest. */
function listText(keys: readonly OwnKey[], { kind, stage: ownStage }: KeyStage): string {
  const rows = keys.map(({ key: { id, name, enabled, created, value, stage }, plan }) => {
    const held = readGatewayValue(value, KEY_PREFIXES[kind], stage === ownStage);
    const logged = held === undefined ? 'value of no key: ignored' : digestPrefix(held.digest);
    return [id, name, planText(plan), stateText(enabled), created?.slice(0, 10) ?? 'unknown', logged];
  });
  return textTable([['ID', 'NAME', 'PLAN', 'STATE', 'CREATED', 'LOGGED AS'], ...rows]);
}

const keyText = ({ key: { id, name, enabled }, plan }: OwnKey): string =>
  `${name} (${id}): ${stateText(enabled)}, plan ${planText(plan)}`;

/** The only place where a secret is ever shown. */
const issuedText = ({ id, name, plan, secret }: IssuedKey): string =>
  [
    `id      ${id}`,
    `name    ${name}`,
    `plan    ${planText(plan)}`,
    `secret  ${secret}`,
    'The secret is shown only once and stored nowhere: hand it over now.',
  ].join('\n');

/** Not printed for a disabled key, which the gateway refuses at once. */
const DELAY = `A key that was used just now gets the old response for up to ${AUTHORIZER_TTL_SECONDS} seconds more.`;

const ADVICE: Readonly<Record<KeyAdministrationReason, string>> = {
  no_credentials: 'no working AWS credentials or region: set AWS_PROFILE and AWS_REGION, or use --local',
  not_allowed: 'these credentials may not administer keys',
  unknown: 'the control plane does not know it',
  conflict: 'the control plane refuses it',
  unavailable: 'the control plane does not respond as expected',
};

interface KeyCommandDependencies {
  readonly openStage: (target: Target) => Promise<KeyStage>;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

/** The command with its sub-commands. Each prints its result. */
function keysCommand({ openStage, print, complain }: KeyCommandDependencies): Command {
  type KeyCommands = ReturnType<typeof createKeyCommands>;
  async function show(
    values: PlaceValues,
    work: (commands: KeyCommands, stage: KeyStage) => Promise<string>,
  ): Promise<KeyStage> {
    const stage = await openStage(readTarget(values));
    print(await work(createKeyCommands(stage), stage));
    return stage;
  }
  /** Shows a change of a key and applies it. It is already made: a failure here only delays it until the next scheduled run. */
  async function change(
    values: PlaceValues,
    work: (commands: KeyCommands) => Promise<string>,
  ): Promise<void> {
    const stage = await show(values, work);
    await stage.synchronize().catch((error: unknown) => {
      const why = firstLine(error);
      complain(`keys: the change is made, but reaches the service only within five minutes (${why})`);
    });
  }

  const keys = command('npm run keys --', ABOUT)
    .usage('COMMAND [options]')
    .action((_values: unknown, { args: [word] }: Command) => {
      throw new UsageError(word === undefined ? 'a command is missing' : `there is no command ${word}`);
    });
  const add = (name: string, about: string): Command =>
    keys
      .command(name)
      .description(about)
      .addOption(new Option('--stage <stage>', 'dev or prod (default dev)').argParser(readStage))
      .option('--local', 'the service on this machine')
      .option('--data-dir <dir>', 'with --local: folder of its data (default .data)');
  add('create', 'make a key; its secret is printed once and stored nowhere')
    .option('--plan <plan>', 'the plan that it is put on')
    .option('--name <name>', 'how the key is listed')
    .option('--demo', 'the shared demo key of a dev stage, on Starter')
    .action(async (values: CreateValues) => {
      const { name, plan } = readNewKey(values);
      await show(values, async (commands) => issuedText(await commands.create(name, plan)));
    });
  add('list', 'plan, state and age of every key').action(async (values: PlaceValues) => {
    await show(values, async (commands, stage) => listText(await commands.list(), stage));
  });
  add('disable <key_id>', 'refuse the key from now on (403)').action((keyId: string, values: PlaceValues) =>
    change(values, async (commands) => keyText(await commands.setEnabled(keyId, false))),
  );
  add('enable <key_id>', 'take it again').action((keyId: string, values: PlaceValues) =>
    change(values, async (commands) => `${keyText(await commands.setEnabled(keyId, true))}\n${DELAY}`),
  );
  add('move <key_id>', 'put it on another plan')
    .requiredOption('--plan <plan>', 'that plan')
    .action((keyId: string, values: PlaceValues & { readonly plan: string }) =>
      change(values, async (commands) => `${keyText(await commands.move(keyId, values.plan))}\n${DELAY}`),
    );
  add('rotate <key_id>', 'make a new key in its place')
    .option('--revoke', 'disable the old one at once', false)
    .action((keyId: string, values: PlaceValues & { readonly revoke: boolean }) =>
      change(values, async (commands) => {
        const issued = issuedText(await commands.rotate(keyId, values.revoke));
        const old = values.revoke
          ? `The old key ${keyId} is disabled.`
          : `The old key ${keyId} works until it is disabled: npm run keys -- disable ${keyId}`;
        return `${issued}\n${old}`;
      }),
    );
  // After the sub-commands, which would inherit this setting.
  return keys.allowExcessArguments();
}

/** Returns the exit code. Throws `UsageError`. */
export async function runKeyCommand(
  args: readonly string[],
  dependencies: KeyCommandDependencies,
): Promise<number> {
  if (args.some((word) => SECRET.test(word)))
    throw new UsageError('a secret does not belong on a command line; KEY_ID is what the list command shows');
  try {
    await parseAndAct(keysCommand(dependencies), args);
    return 0;
  } catch (error) {
    const isAdministration = error instanceof KeyAdministrationFailure;
    const isStage = error instanceof StartError && !(error instanceof UsageError);
    if (!isAdministration && !isStage) throw error;
    const reason = isAdministration ? `${ADVICE[error.reason]} (${error.message})` : error.message;
    dependencies.complain(`keys: ${reason}`);
    return 1;
  }
}

// The stage that the key command works on: a deployed one, or the service on this machine.

/** The API of a deployed stage, from the settings of its key reconciliation; the account may have other APIs. */
async function findApiId(lambda: LambdaClient, stage: StageName): Promise<string> {
  const FunctionName = keySyncFunctionName(stage);
  const notDeployed = `stage ${stage} is not deployed in this account and region: it has no function ${FunctionName}`;
  try {
    const { Environment } = await asked(`reading the settings of ${FunctionName}`, () =>
      lambda.send(new GetFunctionConfigurationCommand({ FunctionName })),
    );
    const apiId = Environment?.Variables?.API_ID;
    if (apiId !== undefined) return apiId;
  } catch (error) {
    if (error instanceof KeyAdministrationFailure && error.reason === 'unknown')
      throw new StartError(notDeployed);
    throw error;
  }
  throw new StartError(`${FunctionName} names no API: deploy stage ${stage} again`);
}

async function deployedStage(stage: StageName): Promise<KeyStage> {
  const lambda = new LambdaClient({});
  const apiId = await findApiId(lambda, stage);
  return {
    stage,
    kind: stage === 'prod' ? 'live' : 'dev',
    administration: createGatewayKeyAdministration(new APIGatewayClient({}), { stage, apiId }),
    async synchronize(expected) {
      const Payload = JSON.stringify({ reason: 'key command', expected });
      const { FunctionError } = await lambda.send(
        new InvokeCommand({ FunctionName: keySyncFunctionName(stage), Payload }),
      );
      if (FunctionError !== undefined) throw new Error(`the reconciliation failed (${FunctionError})`);
    },
  };
}

function localStage(dataDir: string): KeyStage {
  const service = findService(dataDir);
  if (service === undefined)
    throw new StartError(`no service runs on ${dataDir}: start it with npm start, or name its --data-dir`);
  const { apiKeys } = openStoreTables(service.store).openTables(['apiKeys'], 'patient');
  return {
    stage: LOCAL_STAGE,
    kind: 'dev',
    administration: localKeyAdministration(createKeyStore(apiKeys), Date.now),
    // The administration writes the key table itself.
    synchronize: async () => undefined,
  };
}

/** Throws `StartError` when no service runs on the data directory, or when the stage is not deployed. */
export const openKeyStage = async (target: Target): Promise<KeyStage> =>
  'dataDir' in target ? localStage(target.dataDir) : deployedStage(target.stage);
