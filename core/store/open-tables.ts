/** Opens the tables that a function works with. */
import * as z from 'zod/mini';
import { readEnvironment, type Variables } from './environment.ts';
import { openStoreClient, type StoreClient } from './store-client.ts';
import { connectionOf } from './store-connection.ts';
import { Table } from './table.ts';
import { TABLES, type TableDefinition, type TableId } from './tables.ts';

/** How long a request waits for the store, at most twice: an endpoint returns 503 rather than wait for a slow store. */
export const ANSWER_MS = 2000;
/** The same for background work. */
export const PATIENT_ANSWER_MS = 20_000;

/** Opens tables by id under the given names. */
export function openTables<I extends TableId>(
  client: StoreClient,
  names: Readonly<Record<I, string>>,
): Record<I, Table> {
  const open = (id: I): [I, Table] => {
    const { partitionKey, sortKey }: TableDefinition = TABLES[id];
    return [id, new Table(client, names[id], partitionKey, sortKey)];
  };
  return Object.fromEntries((Object.keys(names) as I[]).map(open)) as Record<I, Table>;
}

/**
 * The tables of a function, under the names that its environment gives.
 * @param answerMs how long to wait for the store; as a request does when absent
 * @throws EnvironmentError when a name is missing
 */
export function openFunctionTables<I extends TableId>(
  ids: readonly I[],
  variables: Variables,
  answerMs = ANSWER_MS,
): Record<I, Table> {
  const schema = z.object(
    Object.fromEntries(ids.map((id) => [TABLES[id].variable, z.string().check(z.minLength(1))])),
  );
  const found = readEnvironment(schema, variables) as Record<string, string>;
  const names = Object.fromEntries(ids.map((id) => [id, found[TABLES[id].variable]])) as Record<I, string>;
  return openTables(openStoreClient({ connection: connectionOf(variables), answerMs }), names);
}
