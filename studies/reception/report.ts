/** The options of `npm run study -- reception`, and the table that it prints. */

import { DAY_MS, formatInstant } from '../../core/reference/time.ts';
import { UsageError } from '../../local/command-line.ts';
import type { FixReader } from './fix-reader.ts';
import { archiveCommand, type PositionArchive, readArchiveOptions } from './position-archive.ts';
import { MIN_REACHED_SHARE, type ReceptionSurvey } from './reception-survey.ts';

const USUAL_DAYS = 7;

const receptionCommand = () =>
  archiveCommand(
    'reception',
    `Shows how the ports of a source of positions are received: what is usually received at each, the share of time in which it
is covered, and when it was covered last.`,
  ).option('--days <n>', 'the last N days of the archive', String(USUAL_DAYS));

export interface ReceptionOptions extends PositionArchive {
  readonly days: number;
}

/** Throws `UsageError`. */
export function readReceptionOptions(args: readonly string[]): ReceptionOptions {
  const { values, ...archive } = readArchiveOptions<'days'>(receptionCommand(), args);
  const { days = '' } = values;
  if (!/^[1-9]\d{0,3}$/.test(days))
    throw new UsageError(`--days must be a whole number from 1 to 9999, not ${days}`);
  return { ...archive, days: Number(days) };
}

/** Rounded down, so that a port just below the bound does not appear to reach it. */
const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`;

/** One line a port, and what to do about those that are not reached. */
export function reportText(
  { ports, fetches, leftOut, readMs }: ReceptionSurvey,
  unit: FixReader['usualUnit'],
): string[] {
  const bound = percent(MIN_REACHED_SHARE);
  const rows = ports.map(({ port, usual, share, lastAt, isReached }) => [
    port,
    usual.toFixed(1),
    percent(share),
    lastAt === undefined ? 'never' : formatInstant(lastAt),
    isReached === false ? 'not reached' : '',
  ]);
  const table = [['port', unit, 'covered', 'last covered', ''], ...rows];
  const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  const lines = table.map((row) =>
    row
      .map((cell, column) =>
        column === 1 || column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd(),
  );
  const missed = ports.filter(({ isReached }) => isReached === false).length;
  const verdict =
    readMs < DAY_MS
      ? 'less than a day was read: read more before you judge a port'
      : missed === 0
        ? `every port is covered for ${bound} of the time or more`
        : `${missed} of ${ports.length} ports are covered for less than ${bound} of the time. Where that lasts, leave the port out: ` +
          'studies/port-boxes/port-overrides.json, as core/sources/open-waters-ais/README.md says under Ports';
  return [
    `${fetches} fetches, ${leftOut} left out; ${(readMs / DAY_MS).toFixed(2)} days read`,
    ...lines,
    verdict,
  ];
}
