/** `npm run restore`: makes the tables and the archive of a stage what those of a stage were at a time. */
import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import {
  DeleteTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  ResourceNotFoundException,
  RestoreTableToPointInTimeCommand,
} from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import * as z from 'zod';
import { REBUILT_TABLES, RESTORED_TABLES, restoreArchive, TableRestore } from '../../core/store/restore.ts';
import type { Row } from '../../core/store/table.ts';
import {
  createDocumentClient,
  createStoreClient,
  type IngestTableId,
  PATIENT_RESPONSE_MS,
  TABLES,
} from '../../core/store/tables.ts';
import { command, parse, UsageError } from '../../local/command-line.ts';

const ABOUT = `Recovers the tables of one stage to a point in time, writes their rows into the tables of the same or a fresh stage, deletes the
rows that were not there then, and copies what the archive lacks. Stop the schedules first. It can be run again after a failure.
--from and --to are files with the variables of the ingest functions, as JSON.`;

const variables = z.record(z.string(), z.string());
type Names = z.output<typeof variables>;

const ARCHIVE = 'RAW_ARCHIVE_BUCKET';
const POLL_MS = 5000;

function readNames(file: string): Names {
  const read = variables.safeParse(JSON.parse(readFileSync(file, 'utf8')));
  if (!read.success) throw new UsageError(`${file} has no variables: ${z.prettifyError(read.error)}`);
  return read.data;
}

function tableName(names: Names, id: IngestTableId): string {
  const name = names[TABLES[id].variable];
  if (name === undefined) throw new UsageError(`the variables lack ${TABLES[id].variable}`);
  return name;
}

/** The state of a table; undefined where there is none of this name. */
async function statusOf(client: DynamoDBClient, name: string): Promise<string | undefined> {
  try {
    const { Table: found } = await client.send(new DescribeTableCommand({ TableName: name }));
    return found?.TableStatus;
  } catch (thrown) {
    if (thrown instanceof ResourceNotFoundException) return undefined;
    throw thrown;
  }
}

const copyOf = (name: string): string => `restored-${name}`;

/** Begins the recovery of each table, where an earlier run has not, and resolves when all copies can be read. */
async function recover(
  client: DynamoDBClient,
  names: readonly string[],
  at: Date | undefined,
): Promise<void> {
  for (const name of names) {
    if ((await statusOf(client, copyOf(name))) !== undefined) continue;
    const time = at === undefined ? { UseLatestRestorableTime: true } : { RestoreDateTime: at };
    const input = { SourceTableName: name, TargetTableName: copyOf(name), ...time };
    await client.send(new RestoreTableToPointInTimeCommand(input));
  }
  for (const name of names)
    while ((await statusOf(client, copyOf(name))) !== 'ACTIVE') await setTimeout(POLL_MS);
}

interface RestoreOptions {
  readonly from?: string;
  readonly to: string;
  readonly at?: string;
  readonly asIs: boolean;
  readonly empty: boolean;
  readonly dryRun: boolean;
}

type Report = (line: string) => void;

async function emptyTables(to: Names, dryRun: boolean, report: Report): Promise<void> {
  const documents = createDocumentClient(createStoreClient(PATIENT_RESPONSE_MS));
  const rowsByCall = new Map<string, number>();
  const see = (rows: readonly Row[]): void => {
    for (const { port, callKey, call } of rows) {
      if (call === undefined) continue;
      const id = `${port} ${String(callKey).replace(/^[^#]*#/, '')}`;
      rowsByCall.set(id, (rowsByCall.get(id) ?? 0) + 1);
    }
  };
  for (const id of REBUILT_TABLES) {
    const name = tableName(to, id);
    const deleted = await new TableRestore(documents, id, name).empty(dryRun, see);
    report(`${name}: ${deleted} rows ${dryRun ? 'would be' : 'were'} deleted`);
  }
  // Versions before methodology 2.1 wrote a second row for late departures; a rebuild makes one of each.
  const doubled = [...rowsByCall.values()].filter((count) => count > 1).length;
  if (doubled > 0) report(`calls with more than one row: ${doubled}`);
}

async function restore(
  from: Names,
  to: Names,
  { at, asIs, dryRun }: RestoreOptions,
  report: Report,
): Promise<void> {
  const client = createStoreClient(PATIENT_RESPONSE_MS);
  const documents = createDocumentClient(client);
  const verb = dryRun ? 'would be' : 'were';
  const names = RESTORED_TABLES.map((id) => tableName(from, id));
  if (!asIs) {
    await recover(client, names, at === undefined ? undefined : new Date(at));
    report(`${names.length} tables were recovered`);
  }
  for (const id of RESTORED_TABLES) {
    const [source, name] = [tableName(from, id), tableName(to, id)];
    const copy = asIs ? source : copyOf(source);
    const { written, deleted, unchanged } = await new TableRestore(documents, id, name).run(copy, dryRun);
    report(`${name}: ${written} rows ${verb} written, ${deleted} ${verb} deleted, ${unchanged} unchanged`);
    if (!asIs && !dryRun) await client.send(new DeleteTableCommand({ TableName: copy }));
  }
  const [archive, target] = [from[ARCHIVE], to[ARCHIVE]];
  if (archive === undefined || target === undefined || archive === target) return;
  const copied = await restoreArchive(new S3Client({}), archive, target, dryRun);
  report(`${target}: ${copied} objects ${verb} copied`);
}

/** Throws `UsageError` where the arguments cannot be followed. */
export async function restoreStage(args: readonly string[], report: Report): Promise<void> {
  const definition = command('npm run restore --', ABOUT)
    .option('--from <file>', 'variables of the stage whose tables and archive are wanted')
    .requiredOption('--to <file>', 'variables of the stage that gets them; both files may be the same')
    .option('--at <time>', 'the time (ISO 8601); the newest possible when absent, about five minutes ago')
    .option('--as-is', 'the tables of --from themselves, in place of recovered copies', false)
    .option('--empty', 'empties what a rebuild from the archive writes again', false)
    .option('--dry-run', 'only count the rows that would change', false);
  const options = parse<RestoreOptions>(definition, args);
  const { from, to, at, empty, asIs } = options;
  if (empty === (from !== undefined)) throw new UsageError('either --from or --empty');
  if (at !== undefined && Number.isNaN(Date.parse(at))) throw new UsageError(`--at ${at} is not a time`);
  if (from === undefined) return emptyTables(readNames(to), options.dryRun, report);
  const [source, target] = [readNames(from), readNames(to)];
  if (asIs && RESTORED_TABLES.some((id) => tableName(source, id) === tableName(target, id)))
    throw new UsageError('--as-is: both files name the same table');
  await restore(source, target, options, report);
}
