/** Runs one key command, from its command line to its text and exit code. */

import { type Command, Option } from 'commander';
import {
  type AdministeredPlan,
  KeyAdministrationFailure,
  type KeyAdministrationReason,
} from '../../core/keys/administration.ts';
import { AUTHORIZER_TTL_SECONDS } from '../../core/keys/entitlements.ts';
import { digestPrefix, KEY_PREFIXES, readGatewayValue } from '../../core/keys/key.ts';
import { command, parseAndAct, UsageError } from '../../local/command-line.ts';
import { StartError } from '../../local/start-error.ts';
import { textTable } from '../text-table.ts';
import { createKeyCommands, firstLine, type IssuedKey, type KeyStage, type OwnKey } from './key-commands.ts';

const ABOUT = `Administers API keys. PLAN is a tier (lite, starter, pro), a plan's name or its id. A deployed stage is reached with the
ordinary AWS credentials and region (AWS_PROFILE, AWS_REGION); --local is the service that npm start runs on this machine.`;

export type StageName = 'dev' | 'prod';

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
