/** The command line of the key command. */
import type { Command } from 'commander';
import { command, parse, UsageError } from '../../local/command-line.ts';

const ABOUT = `Administers API keys. PLAN is a tier (lite, starter, pro), a plan's name or its id. A deployed stage is reached with the
ordinary AWS credentials and region (AWS_PROFILE, AWS_REGION); --local is the service that npm start runs on this machine.`;

const STAGES = ['dev', 'prod'] as const;
export type StageName = (typeof STAGES)[number];

export type Target =
  | { readonly local: true; readonly dataDir: string }
  | { readonly local: false; readonly stage: StageName };

export type KeyCommand =
  | { readonly action: 'create'; readonly name: string; readonly plan: string }
  | { readonly action: 'list' }
  | { readonly action: 'disable' | 'enable'; readonly keyId: string }
  | { readonly action: 'move'; readonly keyId: string; readonly plan: string }
  | { readonly action: 'rotate'; readonly keyId: string; readonly revoke: boolean };

export interface KeyArguments {
  readonly command: KeyCommand;
  readonly target: Target;
}

interface PlaceValues {
  readonly stage?: string;
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

function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`);
  return value;
}

function readTarget(values: PlaceValues): Target {
  const { local = false, stage = 'dev', dataDir } = values;
  if (local && values.stage !== undefined) throw new UsageError('--local and --stage exclude each other');
  if (!local && dataDir !== undefined) throw new UsageError('--data-dir goes with --local');
  if (local) return { local, dataDir: dataDir ?? '.data' };
  if (!(STAGES as readonly string[]).includes(stage))
    throw new UsageError(`there is no stage ${stage}: dev or prod`);
  return { local, stage: stage as StageName };
}

function createCommand(values: CreateValues, target: Target): KeyCommand {
  const { demo = false, plan, name } = values;
  if (!demo) {
    const given = required(name, '--name');
    if (!NAME.test(given)) throw new UsageError('a name is 1 to 100 letters, digits, spaces and .,_@&()+-');
    return { action: 'create', name: given, plan: required(plan, '--plan') };
  }
  if (!target.local && target.stage === 'prod') throw new UsageError('prod has no demo key');
  if (name !== undefined || plan !== undefined)
    throw new UsageError('the demo key is named demo and is on starter');
  return { action: 'create', name: 'demo', plan: 'starter' };
}

/** The command with its sub-commands; calls `found` with the chosen action. */
function keysCommand(found: (command: KeyCommand, target: Target) => void): Command {
  const keys = command('npm run keys --', ABOUT)
    .usage('COMMAND [options]')
    .action((_values: unknown, { args: [word] }: Command) => {
      throw new UsageError(word === undefined ? 'a command is missing' : `there is no command ${word}`);
    });
  const add = (name: string, about: string): Command =>
    keys
      .command(name)
      .description(about)
      .option('--stage <stage>', 'dev or prod (default dev)')
      .option('--local', 'the service on this machine')
      .option('--data-dir <dir>', 'with --local: folder of its data (default .data)');
  add('create', 'make a key; its secret is printed once and stored nowhere')
    .option('--plan <plan>', 'the plan that it is put on')
    .option('--name <name>', 'how the key is listed')
    .option('--demo', 'the shared demo key of a dev stage, on Starter')
    .action((values: CreateValues) => {
      const target = readTarget(values);
      found(createCommand(values, target), target);
    });
  add('list', 'plan, state and age of every key').action((values: PlaceValues) =>
    found({ action: 'list' }, readTarget(values)),
  );
  const switches = { disable: 'refuse the key from now on (403)', enable: 'take it again' } as const;
  for (const action of ['disable', 'enable'] as const)
    add(`${action} <key_id>`, switches[action]).action((keyId: string, values: PlaceValues) =>
      found({ action, keyId }, readTarget(values)),
    );
  add('move <key_id>', 'put it on another plan')
    .requiredOption('--plan <plan>', 'that plan')
    .action((keyId: string, values: PlaceValues & { readonly plan: string }) =>
      found({ action: 'move', keyId, plan: values.plan }, readTarget(values)),
    );
  add('rotate <key_id>', 'make a new key in its place')
    .option('--revoke', 'disable the old one at once', false)
    .action((keyId: string, values: PlaceValues & { readonly revoke: boolean }) =>
      found({ action: 'rotate', keyId, revoke: values.revoke }, readTarget(values)),
    );
  // After the sub-commands, which would inherit this setting.
  return keys.allowExcessArguments();
}

/** Throws `UsageError`. */
export function readKeyArguments(args: readonly string[]): KeyArguments {
  if (args.some((word) => SECRET.test(word)))
    throw new UsageError('a secret does not belong on a command line; KEY_ID is what the list command shows');
  let read: KeyArguments | undefined;
  parse(
    keysCommand((command, target) => {
      read = { command, target };
    }),
    args,
  );
  if (read === undefined) throw new UsageError('a command is missing');
  return read;
}
