/** An operator's shell: documented commands run in it as written, and later ones have the variables and functions of earlier ones. */
import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Emulator } from './emulator.ts';
import { commandsOf } from './pages.ts';
import { type Page, REHEARSED, reasonAgainst } from './rehearsed.ts';

/**
 * The emulator answers at one address for all APIs, and a status other than success fails the command. Version 1 of the AWS
 * CLI asks queues at an address of AWS unless its command line names another one.
 */
const PROGRAMS = `aws() {
  if [ "$1" = sqs ]; then command aws --endpoint-url "$AWS_ENDPOINT_URL" "$@"; else command aws "$@"; fi
}
curl() {
  local given=() word
  for word in "$@"; do
    given+=("$(sed -E "s#https://([a-z0-9]+)\\.execute-api\\.[^/]*/([a-z]+)#$AWS_ENDPOINT_URL/restapis/\\1/\\2/_user_request_#" <<<"$word")")
  done
  command curl --silent --show-error --fail-with-body "\${given[@]}"
}`;

export interface Session {
  /** Runs text of bash; returns what it prints. */
  run(text: string): Promise<string>;
  set(variables: Readonly<Record<string, string>>): void;
  get(variable: string): Promise<string>;
  /**
   * Runs the commands below a heading in their order, but for the excused ones; `before` is called with the text of each.
   * A command that prints an id and a secret sets KEY_ID and KEY, as the page tells its reader to.
   */
  rehearse(page: Page, heading: string, before?: (text: string) => unknown): Promise<void>;
  /** Headings that should have been rehearsed and were not. */
  missing(): readonly string[];
}

const quoted = (value: string): string => `'${value.replaceAll("'", "'\\''")}'`;

export function openSession({ command, folder }: Emulator): Session {
  const state = join(folder, 'session');
  writeFileSync(state, `${PROGRAMS}\n`);
  const rehearsed = new Set<string>();

  const run = (text: string): Promise<string> => {
    const script = `set -euo pipefail; . ${state}; set -a\n${text}\nset +a; { export -p; declare -f; } > ${state}`;
    return command('bash', ['-c', script]);
  };
  const set = (variables: Readonly<Record<string, string>>): void => {
    for (const [name, value] of Object.entries(variables))
      appendFileSync(state, `export ${name}=${quoted(value)}\n`);
  };
  return {
    run,
    set,
    get: async (variable) => (await run(`echo "$${variable}"`)).trimEnd(),
    async rehearse(page, heading, before) {
      const commands = commandsOf(page).filter((found) => found.heading === heading);
      assert(commands.length > 0, `docs/${page} has no commands below ${heading}`);
      for (const command of commands) {
        if (reasonAgainst(command) !== undefined) continue;
        await before?.(command.text);
        const said = await run(command.text).catch((cause: unknown) => {
          throw new Error(`docs/${page}, ${heading}: ${String(cause)}`, { cause });
        });
        const [id, secret] = ['id', 'secret'].map(
          (name) => new RegExp(`^${name} +(\\S+)$`, 'm').exec(said)?.[1],
        );
        if (id !== undefined && secret !== undefined) set({ KEY_ID: id, KEY: secret });
      }
      rehearsed.add(`${page} ${heading}`);
    },
    missing: () =>
      Object.entries(REHEARSED)
        .flatMap(([page, headings]) => headings.map((heading) => `${page} ${heading}`))
        .filter((command) => !rehearsed.has(command)),
  };
}
