/** The one style of the commands: help, a line for what is wrong, and the exit status. */
import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import { command, parse, run, StartError, UsageError } from '../../../local/command-line.ts';

const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  jest.spyOn(console, 'error').mockImplementation((line: string) => void lines.push(line));
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => {
  jest.restoreAllMocks();
  process.exitCode = 0;
});

const started = (args: readonly string[], work = (): number | undefined => undefined) =>
  run(async () => {
    parse(command('npm run it --', 'Does it,\nand more.').option('--from <day>', 'the first day'), args);
    return work();
  });
const failing = (error: Error) => () => {
  throw error;
};

it('--help prints the text, and does nothing else', async () => {
  await started(['--help'], failing(new Error('it ran')));
  expect(lines.join('')).toMatch(/^Usage: npm run it -- \[options\]\n\nDoes it, and more\.\n/);
});

it.each([
  [['--bogus'], undefined, "unknown option '--bogus' (--help lists the options)", 2],
  [['--from'], undefined, "option '--from <day>' argument missing (--help lists the options)", 2],
  [['stray'], undefined, 'too many arguments. Expected 0 arguments but got 1. (--help lists the options)', 2],
  [[], failing(new UsageError('--from is not a day')), '--from is not a day (--help lists the options)', 2],
  [[], failing(new StartError('no archive')), 'no archive', 1],
  [[], failing(new TypeError('fetch failed', { cause: 'refused' })), 'fetch failed', 1],
] as const)('%j fails in one line: %#', async (args, work, line, status) => {
  await started(args, work);
  expect(lines).toEqual([line]);
  expect(process.exitCode).toBe(status);
});

it('keeps the stack of a fault of the program, and takes the status that the work returns', async () => {
  await expect(started([], failing(new TypeError('x is undefined')))).rejects.toThrow(TypeError);
  await started([], () => 130);
  expect(process.exitCode).toBe(130);
});
