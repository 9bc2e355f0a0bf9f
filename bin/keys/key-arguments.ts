/** The command line of the key command. */
import { parseArgs } from 'node:util';
import { optionErrorText } from '../../local/start-error.ts';

export const USAGE = `usage: npm run keys -- COMMAND [--stage dev|prod | --local [--data-dir DIR]]

  create --plan PLAN --name NAME   make a key; its secret is printed once and stored nowhere
  create --demo                    make the shared demo key of a dev stage, on Starter
  list                             plan, state and age of every key
  disable KEY_ID                   refuse the key from now on (403)
  enable KEY_ID                    take it again
  move KEY_ID --plan PLAN          put it on another plan
  rotate KEY_ID [--revoke]         make a new key in its place; --revoke disables the old one at once

PLAN is a tier (lite, starter, pro), a plan's name or its id.
A deployed stage is reached with the ordinary AWS credentials and region (AWS_PROFILE, AWS_REGION).
--local is the service that npm start runs on this machine.`;

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

/** The command line is invalid; the message is one line. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const OPTIONS = {
  plan: { type: 'string' },
  name: { type: 'string' },
  demo: { type: 'boolean' },
  revoke: { type: 'boolean' },
  stage: { type: 'string' },
  local: { type: 'boolean' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const;

type Values = ReturnType<typeof parseValues>['values'];
const parseValues = (args: readonly string[]) =>
  parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true, strict: true });

/** Options of each command, in addition to those for stage and data directory. */
const OWN_OPTIONS: Readonly<Record<KeyCommand['action'], readonly (keyof typeof OPTIONS)[]>> = {
  create: ['plan', 'name', 'demo'],
  list: [],
  disable: [],
  enable: [],
  move: ['plan'],
  rotate: ['revoke'],
};
const PLACE_OPTIONS: readonly string[] = ['stage', 'local', 'data-dir'];

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} .,_@&()+-]{0,99}$/u;
/** A text that looks like a secret is never printed, not even in an error message. */
const SECRET = /pcd_(dev|live)_/i;

function required(value: string | undefined, what: string): string {
  if (value === undefined || value === '') throw new UsageError(`${what} is missing`);
  return value;
}

function targetOf(values: Values): Target {
  const { local = false, stage = 'dev', 'data-dir': dataDir } = values;
  if (local && values.stage !== undefined) throw new UsageError('--local and --stage exclude each other');
  if (!local && dataDir !== undefined) throw new UsageError('--data-dir goes with --local');
  if (local) return { local, dataDir: dataDir ?? '.data' };
  if (!(STAGES as readonly string[]).includes(stage))
    throw new UsageError(`there is no stage ${stage}: dev or prod`);
  return { local, stage: stage as StageName };
}

function createCommand(values: Values, target: Target): KeyCommand {
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

/** Undefined when help was requested; throws UsageError. */
export function readKeyArguments(args: readonly string[]): KeyArguments | undefined {
  if (args.some((word) => SECRET.test(word)))
    throw new UsageError('a secret does not belong on a command line; KEY_ID is what the list command shows');
  let parsed: ReturnType<typeof parseValues>;
  try {
    parsed = parseValues(args);
  } catch (error) {
    throw new UsageError(optionErrorText(error));
  }
  const { values, positionals } = parsed;
  if (values.help) return undefined;
  const [action, keyId, ...rest] = positionals;
  if (action === undefined) throw new UsageError('a command is missing');
  if (!Object.hasOwn(OWN_OPTIONS, action)) throw new UsageError(`there is no command ${action}`);
  const known = action as KeyCommand['action'];
  const takesId = known !== 'create' && known !== 'list';
  const [extra] = takesId ? rest : positionals.slice(1);
  if (extra !== undefined) throw new UsageError(`unexpected argument ${extra}`);
  const alien = Object.keys(values).find(
    (option) =>
      !PLACE_OPTIONS.includes(option) && !OWN_OPTIONS[known].includes(option as keyof typeof OPTIONS),
  );
  if (alien !== undefined) throw new UsageError(`--${alien} does not go with ${known}`);
  const target = targetOf(values);
  switch (known) {
    case 'create':
      return { command: createCommand(values, target), target };
    case 'list':
      return { command: { action: known }, target };
    case 'move': {
      const plan = required(values.plan, '--plan');
      return { command: { action: known, keyId: required(keyId, 'the KEY_ID'), plan }, target };
    }
    case 'rotate': {
      const revoke = values.revoke ?? false;
      return { command: { action: known, keyId: required(keyId, 'the KEY_ID'), revoke }, target };
    }
    default:
      return { command: { action: known, keyId: required(keyId, 'the KEY_ID') }, target };
  }
}
