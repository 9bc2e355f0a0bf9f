/** Opens tables by their id, under the names that the environment gives. */
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createDocumentClient } from './document-client.ts';
import { Table } from './table.ts';
import { TABLES, type TableDefinition, type TableId } from './tables.ts';

/** Name of each table, by id. */
export type TableNames<I extends TableId = TableId> = Readonly<Record<I, string>>;

/** The named tables, ready to use. */
export function openTables<I extends TableId>(
  client: DynamoDBClient,
  names: TableNames<I>,
): Record<I, Table> {
  const documents = createDocumentClient(client);
  const open = (id: I): [I, Table] => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    return [id, new Table(documents, names[id], partitionKey, sortKey)];
  };
  return Object.fromEntries((Object.keys(names) as I[]).map(open)) as Record<I, Table>;
}

/** Environment variables of the given tables, as zod-free plain data: variable name by id. */
export const variablesOf = <I extends TableId>(ids: readonly I[]): Record<I, string> =>
  Object.fromEntries(ids.map((id) => [id, TABLES[id].variable])) as Record<I, string>;
