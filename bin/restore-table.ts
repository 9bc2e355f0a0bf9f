/** `npm run restore-table`: makes a table of the service equal to a copy of it that was restored to a point in time. */
import { DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDocumentClient, createStoreClient, PATIENT_RESPONSE_MS } from '../core/store/open-tables.ts';
import { Table } from '../core/store/table.ts';
import { tableDifference } from '../core/store/table-copy.ts';
import { command, parse, run, UsageError } from '../local/command-line.ts';

const ABOUT = `Writes the rows of RESTORED that TABLE lacks or has otherwise, and deletes the rows that RESTORED lacks. Credentials and
region are those of the AWS command line. Stop the sources' schedules first. Run again, it goes on.`;

/** Names of the primary key's attributes, the partition key first. Throws when there is no such table. */
async function keyNamesOf(client: DynamoDBClient, name: string): Promise<string[]> {
  const { Table: found } = await client.send(new DescribeTableCommand({ TableName: name }));
  const keys = [...(found?.KeySchema ?? [])].sort((a) => (a.KeyType === 'HASH' ? -1 : 1));
  return keys.map(({ AttributeName = '' }) => AttributeName);
}

async function restore(from: string, to: string, dryRun: boolean): Promise<string> {
  const client = createStoreClient(PATIENT_RESPONSE_MS);
  const [keys, otherKeys] = [await keyNamesOf(client, to), await keyNamesOf(client, from)];
  if (keys.join() !== otherKeys.join())
    throw new Error(
      `${from} is keyed by ${otherKeys.join(' and ')}, ${to} by ${keys.join(' and ')}: not a copy of it`,
    );
  const documents = createDocumentClient(client);
  const open = (name: string): Table => new Table(documents, name, keys[0] ?? '', keys[1]);
  const target = open(to);
  const { puts, deletes, unchanged } = await tableDifference(open(from), target, keys);
  if (!dryRun) await target.writeMany(puts, deletes);
  const verb = dryRun ? 'would be' : 'were';
  return `${to}: ${puts.length} rows ${verb} written, ${deletes.length} ${verb} deleted, ${unchanged} unchanged`;
}

await run(async () => {
  const definition = command('npm run restore-table --', ABOUT)
    .requiredOption('--from <restored>', 'the restored copy')
    .requiredOption('--to <table>', 'the table of the service')
    .option('--dry-run', 'only count the rows that would change', false);
  const { from, to, dryRun } = parse<{ from: string; to: string; dryRun: boolean }>(definition);
  if (from === to) throw new UsageError('--from and --to name the same table');
  console.log(await restore(from, to, dryRun));
});
