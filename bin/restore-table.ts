/** `npm run restore-table`: makes a table of the service equal to a copy of it that was restored to a point in time, or empty. */
import { isDeepStrictEqual } from 'node:util';
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDocumentClient, createStoreClient, PATIENT_RESPONSE_MS } from '../core/store/open-tables.ts';
import { type Key, type Row, Table } from '../core/store/table.ts';
import { command, parse, run, UsageError } from '../local/command-line.ts';

// The changes that make one table equal to another, for a restore into the table that the service uses.

interface TableDifference {
  /** Rows that are missing or differ. */
  readonly puts: readonly Row[];
  /** Keys of rows that the other table lacks. */
  readonly deletes: readonly Key[];
  readonly unchanged: number;
}

/**
 * Compares two tables row by row; both are read in full.
 * @param keyNames the attributes of the primary key, the same in both
 */
async function tableDifference(
  from: Pick<Table, 'scan'>,
  to: Table,
  keyNames: readonly string[],
): Promise<TableDifference> {
  const rowKey = (row: Row): Key => Object.fromEntries(keyNames.map((name) => [name, String(row[name])]));
  const toText = (row: Row): string => JSON.stringify(keyNames.map((name) => row[name]));
  const [wanted, present] = await Promise.all([from.scan(), to.scan()]);
  const presentByKey = new Map(present.map((row) => [toText(row), row]));
  const wantedKeys = new Set(wanted.map(toText));
  const puts = wanted.filter((row) => !isDeepStrictEqual(row, presentByKey.get(toText(row))));
  const deletes = present.filter((row) => !wantedKeys.has(toText(row))).map(rowKey);
  return { puts, deletes, unchanged: wanted.length - puts.length };
}

const ABOUT = `Writes the rows of RESTORED that TABLE lacks or has otherwise, and deletes the rows that RESTORED lacks: with --empty, all. Credentials and
region are those of the AWS command line. Stop the sources' schedules first. Run again, it goes on.`;

/** Names of the primary key's attributes, the partition key first. Throws when there is no such table. */
async function keyNamesOf(client: DynamoDBClient, name: string): Promise<string[]> {
  const { Table: found } = await client.send(new DescribeTableCommand({ TableName: name }));
  const keys = [...(found?.KeySchema ?? [])].sort((a) => (a.KeyType === 'HASH' ? -1 : 1));
  return keys.map(({ AttributeName = '' }) => AttributeName);
}

/**
 * Calls that have several rows, of a table of port calls. Versions before methodology 2.1 wrote a second row where a departure was
 * stated long after its arrival; a rebuild makes one of each.
 */
function doubledCalls(rows: readonly Row[]): number {
  const counts = new Map<string, number>();
  for (const { port, callKey, call } of rows) {
    if (call === undefined) continue;
    const id = `${port} ${String(callKey).replace(/^[^#]*#/, '')}`;
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return [...counts.values()].filter((count) => count > 1).length;
}

/** @param from name of the copy; undefined for no rows at all */
async function restore(from: string | undefined, to: string, dryRun: boolean): Promise<string> {
  const client = createStoreClient(PATIENT_RESPONSE_MS);
  const keys = await keyNamesOf(client, to);
  const otherKeys = from === undefined ? keys : await keyNamesOf(client, from);
  if (keys.join() !== otherKeys.join())
    throw new Error(
      `${from} is keyed by ${otherKeys.join(' and ')}, ${to} by ${keys.join(' and ')}: not a copy of it`,
    );
  const documents = createDocumentClient(client);
  const open = (name: string): Table => new Table(documents, name, keys[0] ?? '', keys[1]);
  const target = open(to);
  const wanted = from === undefined ? { scan: async () => [] } : open(from);
  const doubled = from === undefined ? doubledCalls(await target.scan()) : 0;
  const { puts, deletes, unchanged } = await tableDifference(wanted, target, keys);
  if (!dryRun) await target.writeMany(puts, deletes);
  const verb = dryRun ? 'would be' : 'were';
  const counts = `${puts.length} rows ${verb} written, ${deletes.length} ${verb} deleted, ${unchanged} unchanged`;
  return `${to}: ${counts}${doubled === 0 ? '' : `; calls with more than one row: ${doubled}`}`;
}

interface RestoreOptions {
  readonly from?: string;
  readonly empty: boolean;
  readonly to: string;
  readonly dryRun: boolean;
}

await run(async () => {
  const definition = command('npm run restore-table --', ABOUT)
    .option('--from <restored>', 'the restored copy')
    .option('--empty', 'in its place: no rows', false)
    .requiredOption('--to <table>', 'the table of the service')
    .option('--dry-run', 'only count the rows that would change', false);
  const { from, empty, to, dryRun } = parse<RestoreOptions>(definition);
  if (empty === (from !== undefined)) throw new UsageError('either --from or --empty');
  if (from === to) throw new UsageError('--from and --to name the same table');
  console.log(await restore(from, to, dryRun));
});
