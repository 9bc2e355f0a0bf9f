/** `npm run coverage`: runs the tests and prints which share of the lines of each room they run. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { command, parse, run } from '../local/command-line.ts';
import { coverageFaults, linesByRoom, totalOf } from '../tools/check/covered-lines.ts';
import { textTable } from '../tools/text-table.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const FIRST = `${ROOT}tools/check/covered-lines.json`;
const SUMMARY = `${ROOT}coverage/coverage-summary.json`;

await run(async () => {
  const definition = command(
    'npm run coverage --',
    `Runs the tests, prints the lines of each room that they run, and fails where a room has fallen below its share in
tools/check/covered-lines.json.`,
  ).option(
    '--read',
    'read the result of the last `npm test -- --coverage` instead of running the tests',
    false,
  );
  const { read } = parse<{ read: boolean }>(definition);
  if (!read) {
    const { status } = spawnSync('npm', ['test', '--', '--coverage'], {
      cwd: ROOT,
      stdio: 'inherit',
      shell: process.platform === 'win32',
    });
    if (status !== 0) return 1;
  }
  const first = JSON.parse(readFileSync(FIRST, 'utf8')) as Record<string, number>;
  const rooms = linesByRoom(JSON.parse(readFileSync(SUMMARY, 'utf8')), first, ROOT);
  console.log(
    textTable([
      ['room', 'lines', 'covered %', 'at least %'],
      ...[...rooms, totalOf(rooms)].map(({ room, lines, covered, first }) => [
        room,
        String(lines),
        covered.toFixed(1),
        String(first ?? '-'),
      ]),
    ]),
  );
  const faults = coverageFaults(rooms, first);
  for (const fault of faults) console.error(fault);
  return faults.length === 0 ? 0 : 1;
});
