/** The command line of every command: `--help`, one line for what is wrong, and the exit status. */
import { Command, CommanderError, Option } from 'commander';

// An error of the start that the operator can fix; its message is one line.

export class StartError extends Error {
  override readonly name: string = 'StartError';
}

/** The message of any thrown value. Errors may come from another realm, where `instanceof` does not work. */
export function errorText(thrown: unknown): string {
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message);
  return String(thrown);
}

/** The `code` of a Node error, undefined when there is none. */
export function errorCode(thrown: unknown): string | undefined {
  if (typeof thrown !== 'object' || thrown === null || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/** A command line that cannot be followed; the message is one line. */
export class UsageError extends StartError {
  override readonly name = 'UsageError';
}

const EXIT = { failed: 1, misused: 2 } as const;

/** A command as it is started: `npm run keys --`. It never ends the process itself. Lines of `about` are joined but before a space. */
export const command = (started: string, about: string): Command =>
  new Command(started)
    .description(about.replace(/\n(?! )/g, ' '))
    .helpOption('-h, --help', 'print this text')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError(false)
    .configureOutput({ outputError: () => undefined });

/** Commander's fault as `UsageError`; anything else, and the end of `--help`, as it is. */
function usageFault(thrown: unknown): unknown {
  if (!(thrown instanceof CommanderError) || thrown.exitCode === 0) return thrown;
  return new UsageError(thrown.message.replace(/^error: /, ''));
}

/** Reads the options into the command. Throws `UsageError`; after `--help`, commander's own error of exit status 0. */
export function parse<O extends object>(
  command: Command,
  args: readonly string[] = process.argv.slice(2),
): O {
  try {
    return command.parse([...args], { from: 'user' }).opts<O>();
  } catch (thrown) {
    throw usageFault(thrown);
  }
}

/** Reads the options of a command with sub-commands, and runs the action of the chosen one. Throws as `parse` does. */
export async function parseAndAct(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.parseAsync([...args], { from: 'user' });
  } catch (thrown) {
    throw usageFault(thrown);
  }
}

export const notEmpty =
  (message: string) =>
  (value: string): string => {
    if (value === '') throw new UsageError(message);
    return value;
  };

export const dataDirOption = (): Option =>
  new Option('--data-dir <dir>', 'folder of the data (default .data)').argParser(
    notEmpty('--data-dir must name a folder'),
  );

/** A fault of the program, whose stack is needed. A connection that fails is a TypeError too, with a cause. */
const isFault = (thrown: unknown): boolean =>
  (thrown instanceof TypeError || thrown instanceof ReferenceError || thrown instanceof RangeError) &&
  thrown.cause === undefined;

/** Runs a command, whose result is its exit status. What is wrong is one line on standard error. Rejects with a fault of the program. */
export async function run(work: () => Promise<number | undefined> | Promise<void>): Promise<void> {
  try {
    process.exitCode = (await work()) ?? 0;
  } catch (thrown) {
    if (thrown instanceof CommanderError && thrown.exitCode === 0) return;
    if (isFault(thrown)) throw thrown;
    const isUsage = thrown instanceof UsageError;
    console.error(isUsage ? `${thrown.message} (--help lists the options)` : errorText(thrown));
    process.exitCode = isUsage ? EXIT.misused : EXIT.failed;
  }
}
