/** The tables of a function, opened once when it is loaded. */
import * as z from 'zod/mini';
import { createStoreClient } from './client.ts';
import { readEnvironment, type Variables } from './environment.ts';
import { openTables, variablesOf } from './open-tables.ts';
import type { Table } from './table.ts';
import type { TableId } from './tables.ts';

/**
 * The tables that a function works with, under the names that its environment gives.
 * @param answerMs how long to wait for the store; as long as a request may take without it
 */
export function openFunctionTables<I extends TableId>(
  ids: readonly I[],
  variables: Variables,
  answerMs?: number,
): Record<I, Table> {
  const byId = variablesOf(ids);
  const names = Object.values<string>(byId);
  const schema = z.object(Object.fromEntries(names.map((name) => [name, z.string().check(z.minLength(1))])));
  const found = readEnvironment(schema, variables) as Record<string, string>;
  const tableNames = Object.fromEntries(ids.map((id) => [id, found[byId[id]] ?? ''])) as Record<I, string>;
  return openTables(createStoreClient(answerMs), tableNames);
}
