/** `npm run restore-table`: makes a table of the service equal to a copy of it that was restored to a point in time, or empty. */
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDocumentClient, createStoreClient, PATIENT_RESPONSE_MS } from '../core/store/open-tables.ts';
import { Table } from '../core/store/table.ts';
import { tableDifference } from '../core/store/table-copy.ts';
import { command, parse, run, UsageError } from '../local/command-line.ts';

const ABOUT = `Writes the rows of RESTORED that TABLE lacks or has otherwise, and deletes the rows that RESTORED lacks: with --empty, all. Credentials and
region are those of the AWS command line. Stop the sources' schedules first. Run again, it goes on.`;

/** Names of the primary key's attributes, the partition key first. Throws when there is no such table. */
async function keyNamesOf(client: DynamoDBClient, name: string): Promise<string[]> {
  const { Table: found } = await client.send(new DescribeTableCommand({ TableName: name }));
  const keys = [...(found?.KeySchema ?? [])].sort((a) => (a.KeyType === 'HASH' ? -1 : 1));
  return keys.map(({ AttributeName = '' }) => AttributeName);
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
  const { puts, deletes, unchanged } = await tableDifference(wanted, target, keys);
  if (!dryRun) await target.writeMany(puts, deletes);
  const verb = dryRun ? 'would be' : 'were';
  return `${to}: ${puts.length} rows ${verb} written, ${deletes.length} ${verb} deleted, ${unchanged} unchanged`;
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
