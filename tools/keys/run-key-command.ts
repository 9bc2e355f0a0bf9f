/** Runs one key command and reports the result as text and exit code. */

import {
  type AdministeredPlan,
  KeyAdministrationFailure,
  type KeyAdministrationReason,
} from '../../core/keys/administration.ts';
import { AUTHORIZER_TTL_SECONDS } from '../../core/keys/entitlements.ts';
import { type KeyCommand, readKeyArguments, type Target } from './key-arguments.ts';
import {
  createKeyCommands,
  firstLine,
  type IssuedKey,
  KeyCommandError,
  type KeyCommands,
  type ListedKey,
} from './key-commands.ts';
import type { KeyStage } from './key-stage.ts';

// The output of the key command.

const planText = (plan: AdministeredPlan | undefined): string => {
  if (plan === undefined) return 'none';
  return plan.tier === undefined ? `${plan.name} (no tier: refused)` : `${plan.tier} (${plan.name})`;
};

const HEADINGS = ['ID', 'NAME', 'PLAN', 'STATE', 'CREATED', 'LOGGED AS'] as const;

const cells = ({ id, name, plan, enabled, created, digestPrefix }: ListedKey): string[] => [
  id,
  name,
  planText(plan),
  enabled ? 'enabled' : 'disabled',
  created?.slice(0, 10) ?? 'unknown',
  digestPrefix ?? 'value of no key: ignored',
];

/** A table of keys, one a line. */
function table(keys: readonly ListedKey[]): string {
  const rows = [[...HEADINGS], ...keys.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return rows.map(line).join('\n');
}

/** One key after a change. */
const keyText = ({ id, name, plan, enabled }: ListedKey): string =>
  `${name} (${id}): ${enabled ? 'enabled' : 'disabled'}, plan ${planText(plan)}`;

/** The only place where a secret is ever shown. */
const issuedText = ({ id, name, plan, secret }: IssuedKey): string =>
  [
    `id      ${id}`,
    `name    ${name}`,
    `plan    ${planText(plan)}`,
    `secret  ${secret}`,
    'The secret is shown only once and stored nowhere: hand it over now.',
  ].join('\n');

interface KeyCommandDependencies {
  readonly openStage: (target: Target) => Promise<KeyStage>;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
}

const EXIT = { done: 0, failed: 1 } as const;

/** The actions that change an existing key; a new key is in the key table when it is printed. */
const CHANGES_A_KEY: ReadonlySet<KeyCommand['action']> = new Set(['disable', 'enable', 'move', 'rotate']);

/** Not printed for a disabled key, which the gateway refuses at once. */
const DELAY = `A key that was used just now gets the old response for up to ${AUTHORIZER_TTL_SECONDS} seconds more.`;

const ADVICE: Readonly<Record<KeyAdministrationReason, string>> = {
  no_credentials: 'no working AWS credentials or region: set AWS_PROFILE and AWS_REGION, or use --local',
  not_allowed: 'these credentials may not administer keys',
  unknown: 'the control plane does not know it',
  conflict: 'the control plane refuses it',
  unavailable: 'the control plane does not respond as expected',
};

async function perform(command: KeyCommand, keys: KeyCommands): Promise<string> {
  switch (command.action) {
    case 'create':
      return issuedText(await keys.create(command.name, command.plan));
    case 'list':
      return table(await keys.list());
    case 'disable':
      return keyText(await keys.setEnabled(command.keyId, false));
    case 'enable':
      return `${keyText(await keys.setEnabled(command.keyId, true))}\n${DELAY}`;
    case 'move':
      return `${keyText(await keys.move(command.keyId, command.plan))}\n${DELAY}`;
    case 'rotate': {
      const issued = issuedText(await keys.rotate(command.keyId, command.revoke));
      const old = command.revoke
        ? `The old key ${command.keyId} is disabled.`
        : `The old key ${command.keyId} works until it is disabled: npm run keys -- disable ${command.keyId}`;
      return `${issued}\n${old}`;
    }
  }
}

/** The reason of a failure in one line; undefined for a fault in this program. */
function errorReason(error: unknown): string | undefined {
  if (error instanceof KeyAdministrationFailure) return `${ADVICE[error.reason]} (${error.message})`;
  return error instanceof KeyCommandError ? error.message : undefined;
}

/** Returns the exit code. Throws `UsageError`. */
export async function runKeyCommand(
  args: readonly string[],
  { openStage, randomBytes, print, complain }: KeyCommandDependencies,
): Promise<number> {
  const given = readKeyArguments(args);
  try {
    const place = await openStage(given.target);
    print(await perform(given.command, createKeyCommands({ ...place, randomBytes })));
    if (CHANGES_A_KEY.has(given.command.action)) await carryOver(place, complain);
    return EXIT.done;
  } catch (error) {
    const reason = errorReason(error);
    if (reason === undefined) throw error;
    complain(`keys: ${reason}`);
    return EXIT.failed;
  }
}

/** The change is already made: a failure here only delays it until the next scheduled run. */
async function carryOver(place: KeyStage, complain: (text: string) => void): Promise<void> {
  try {
    await place.synchronize();
  } catch (error) {
    const why = firstLine(error);
    complain(`keys: the change is made, but reaches the service only within five minutes (${why})`);
  }
}
