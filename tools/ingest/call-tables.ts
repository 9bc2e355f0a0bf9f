/** `npm run ingest -- --calls FILE`: gives a table of calls to the service, or removes one. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import * as z from 'zod';
import { ONE_LINE } from '../../core/contracts/wire.ts';
import { createCallTables, TableRefused, TablesBusy } from '../../core/ingest/call-tables.ts';
import { mean } from '../../core/reference/statistics.ts';
import {
  DAY_MS,
  endOfDay,
  formatInstant,
  hoursBetween,
  type Instant,
  type Interval,
  isDay,
  parseInstant,
  startOfDay,
} from '../../core/reference/time.ts';
import type { TableAbout } from '../../core/sources/call-tables/declaration.ts';
import {
  type CallTable,
  countRows,
  isTimeZone,
  ONE_PART_BYTES,
  partsOf,
  readCallTable,
  type TableOfPort,
  UnreadableTable,
} from '../../core/sources/call-tables/table.ts';
import { MAX_TEXT } from '../../core/upstream/fields.ts';
import { openIngestDependencies } from '../../lambdas/ingest/dependencies.ts';
import { StartError, UsageError } from '../../local/command-line.ts';
import { type IngestPlace, openIngestPlace, wiringOf } from './ingest-place.ts';

export interface CallTableRequest {
  /** The CSV file; undefined to remove a table. */
  readonly calls?: string | undefined;
  /** A JSON file of `ABOUT_FORM`. */
  readonly about?: string | undefined;
  readonly leaveOut: boolean;
  readonly asPolls?: 'daily' | undefined;
  readonly yes: boolean;
  /** The name of a table to remove. */
  readonly removeCalls?: string | undefined;
  readonly dataDir?: string | undefined;
}

/** A UTC day, or an instant with an offset. */
const edge = (atOfDay: (day: string) => Instant) =>
  z.string().transform((text, context) => {
    const at = isDay(text) ? atOfDay(text) : parseInstant(text);
    if (at !== undefined) return at;
    context.addIssue('must be a UTC day like 2019-01-02, or an instant like 2019-01-02T00:00:00+01:00');
    return z.NEVER;
  });

/** As responses have it. */
const ONE_LINE_TEXT = z.string().min(1).max(MAX_TEXT).regex(ONE_LINE, 'must be one line');

/** What a file of `--about` may state; everything is optional. */
const ABOUT_FORM = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'must have 1 to 64 letters, digits, dots, hyphens or underscores')
    .optional(),
  publisher: ONE_LINE_TEXT.optional(),
  licence: ONE_LINE_TEXT.optional(),
  attribution: ONE_LINE_TEXT.optional(),
  passesOnCalls: z.boolean().default(false),
  timeZone: z.string().refine(isTimeZone, 'is not an IANA time zone like Europe/Madrid').optional(),
  /** First and last day that the table covers, both included, or instants. */
  from: edge(startOfDay).optional(),
  to: edge(endOfDay).optional(),
});
type StatedAbout = z.infer<typeof ABOUT_FORM>;

function readAbout(file: string | undefined): StatedAbout {
  if (file === undefined) return ABOUT_FORM.parse({});
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new UsageError(`--about ${file} cannot be read: ${error instanceof Error ? error.message : error}`);
  }
  const read = ABOUT_FORM.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new UsageError(
    `--about ${file}: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(' ')}`,
  );
}

const nameOf = (file: string): string =>
  basename(file, extname(file))
    .replaceAll(/[^\w.-]+/g, '-')
    .slice(0, 64);

/** A table that is read to be judged: none of its calls is kept. */
interface ReadTable {
  readonly rows: number;
  readonly faults: CallTable['faults'];
  readonly ambiguous: number;
  /** The span and the stays of each port, and a line that describes its calls. */
  readonly ports: ReadonlyMap<
    string,
    { readonly span: Interval; readonly stays: number; readonly line: string }
  >;
}

/** The span of a port is its own where none is stated. */
const spanOf = ({ from, to }: StatedAbout, { span }: TableOfPort): Interval => ({
  fromAt: from ?? span.fromAt,
  toAt: to ?? span.toAt,
});

/** Reads the ports of one part of the rows at a time. Throws `UnreadableTable`. */
async function readInParts(bytes: Uint8Array, stated: StatedAbout, nowAt: Instant): Promise<ReadTable> {
  let [rows, ambiguous] = [0, 0];
  const faults: CallTable['faults'][number][] = [];
  const ports = new Map<string, { span: Interval; stays: number; line: string }>();
  const parts =
    bytes.length <= ONE_PART_BYTES
      ? [undefined]
      : partsOf([...(await countRows(bytes))].sort(([a], [b]) => (a < b ? -1 : 1)));
  for (const part of parts) {
    const options = { timeZone: stated.timeZone, nowAt, ports: part && new Set(part) };
    const read = await readCallTable(bytes, options);
    rows += read.rows;
    ambiguous += read.ambiguous;
    faults.push(...read.faults);
    for (const port of read.ports) {
      const span = spanOf(stated, port);
      ports.set(port.port, { span, stays: port.stays, line: portLine(port, span) });
    }
  }
  return { rows, ambiguous, faults: faults.sort((a, b) => a.line - b.line), ports };
}

const count = (value: number, one: string, many = `${one}s`): string =>
  `${value.toLocaleString('en-US')} ${value === 1 ? one : many}`;

function portLine({ port, calls }: TableOfPort, { fromAt, toAt }: Interval): string {
  const berthed = calls.flatMap(({ ataAt, stops }) => {
    const first = stops.find(({ zone }) => zone === 'berth');
    return first?.ataAt === undefined || ataAt === undefined ? [] : [hoursBetween(ataAt, first.ataAt)];
  });
  const atAnchor = calls.filter(
    ({ stops: [first, ...later] }) =>
      first?.zone === 'anchorage' && later.some(({ zone }) => zone === 'berth'),
  ).length;
  const unknown = calls.filter(({ traffic }) => traffic === 'unknown').length;
  const aDay = berthed.length / ((toAt - fromAt) / DAY_MS);
  return [
    `${port} ${formatInstant(fromAt)} to ${formatInstant(toAt)}: ${count(calls.length, 'call')}`,
    `${berthed.length.toLocaleString('en-US')} berthed (${aDay.toFixed(1)} a day)`,
    `${atAnchor.toLocaleString('en-US')} at anchor before the first berth`,
    berthed.length === 0 ? 'none berthed' : `${mean(berthed).toFixed(1)} h from arrival to berth on average`,
    ...(unknown > 0
      ? [`${unknown.toLocaleString('en-US')} of unknown type, which are in no wait figure`]
      : []),
  ].join(', ');
}

/** What a person judges before the table is applied. */
function tableSummary(table: ReadTable, about: TableAbout): string[] {
  const { publisher, licence, attribution, passesOnCalls, name } = about;
  const stated = (label: string, text: string | undefined): string => `${label} ${text ?? 'not stated'}`;
  return [
    `${name}: ${count(table.rows, 'row')}, ${count(table.faults.length, 'row')} left out`,
    ...[...table.ports.values()].map(({ line }) => line),
    ...(table.ambiguous > 0
      ? [
          `${count(table.ambiguous, 'local time')} occur twice: the reading that keeps the call in order counts, else the earlier`,
        ]
      : []),
    [stated('publisher', publisher), stated('licence', licence), stated('attribution', attribution)].join(
      ', ',
    ),
    passesOnCalls ? 'single calls may be passed on' : 'single calls are not passed on',
  ];
}

async function isConfirmed(request: CallTableRequest): Promise<boolean> {
  if (request.yes) return true;
  if (!process.stdin.isTTY)
    throw new UsageError('the table is not applied: read the summary above, and add --yes to apply it');
  const asked = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await asked.question('Apply it? [y/N] ');
  asked.close();
  return /^y(?:es)?$/i.test(answer.trim());
}

/** Applies archived tables that the tables of the store lack, as after a rebuild from the archive. */
export async function catchUpCallTables(place: IngestPlace): Promise<void> {
  const dependencies = openIngestDependencies(wiringOf(place.environment), `call-tables-${process.pid}`);
  await createCallTables(dependencies, { withholdsStays: place.isStage }).catchUp();
}

/** A table as it is given: its file, what was read of it, and what is stated about it. */
export async function readGivenTable(
  {
    calls = '',
    about,
    leaveOut,
    asPolls,
  }: Pick<CallTableRequest, 'calls' | 'about' | 'leaveOut' | 'asPolls'>,
  nowAt: Instant,
) {
  const stated = readAbout(about);
  if (!existsSync(calls)) throw new UsageError(`--calls: there is no file ${calls}`);
  const bytes = readFileSync(calls);
  const table = await readInParts(bytes, stated, nowAt);
  const { from: _, to: __, name = nameOf(calls), ...rest } = stated;
  const ports = Object.fromEntries(
    Array.from(table.ports, ([port, { span, stays }]) => [port, { ...span, stays }]),
  );
  const described: TableAbout = { ...rest, name, leftOut: leaveOut, ...(asPolls && { asPolls }), ports };
  return { bytes, table, about: described };
}

/** The exit code. */
export async function giveCallTable(request: CallTableRequest, say: (line: string) => void): Promise<number> {
  const place = await openIngestPlace(request.dataDir, undefined, () => undefined);
  try {
    const dependencies = openIngestDependencies(wiringOf(place.environment), `call-tables-${process.pid}`);
    const tables = createCallTables(dependencies, {
      withholdsStays: place.isStage,
      onDay: (port, day) => {
        if (day.endsWith('-01')) say(`${port}: ${day} applied`);
      },
    });
    if (request.calls === undefined) {
      const name = request.removeCalls ?? '';
      await tables.remove(name);
      say(`${name} is removed from ${place.name}`);
      return 0;
    }
    const { bytes, table, about } = await readGivenTable(request, dependencies.now());
    for (const { line, reason } of table.faults) say(`${request.calls}:${line}: ${reason}`);
    if (table.faults.length > 0 && !request.leaveOut) {
      say(
        `nothing is applied: correct ${count(table.faults.length, 'row')}, or add --leave-out to go without`,
      );
      return 1;
    }
    for (const line of tableSummary(table, about)) say(line);
    if (table.ports.size === 0) throw new UnreadableTable('no row can be used');
    if (!(await isConfirmed(request))) {
      say('nothing is applied');
      return 1;
    }
    await tables.accept(bytes, about);
    say(`${about.name} is applied to ${place.name}`);
    return 0;
  } catch (error) {
    if (error instanceof UnreadableTable) throw new StartError(`${request.calls}: ${error.message}`);
    if (error instanceof TableRefused || error instanceof TablesBusy) throw new StartError(error.message);
    throw error;
  } finally {
    await place.close();
  }
}
