/** The emulated deploy runs every command that an operator reads, or says why not. */
import { expect, it } from '@jest/globals';
import {
  documentedCommands,
  EXCUSES,
  isRehearsed,
  REHEARSED,
  reasonAgainst,
} from '../emulated-deploy/rehearsed.ts';

const commands = documentedCommands();

it('every command of the operators’ pages is run by the emulated deploy, or excused with the reason', () => {
  expect(commands.length).toBeGreaterThan(40);
  const neither = commands.filter((command) => !isRehearsed(command) && reasonAgainst(command) === undefined);
  expect(neither).toEqual([]);
});

it('every rehearsed heading has a command, and every excuse one that it excuses', () => {
  const read = commands.map(({ page, heading }) => `${page} ${heading}`);
  const listed = Object.entries(REHEARSED).flatMap(([page, headings]) =>
    headings.map((heading) => `${page} ${heading}`),
  );
  expect(listed.filter((name) => !read.includes(name))).toEqual([]);
  expect(EXCUSES.filter((excuse) => !commands.some(({ text }) => `${text}\``.startsWith(excuse)))).toEqual(
    [],
  );
});
