/** The tables of a function, under the names that its environment gives. */
import * as z from 'zod/mini';
import { createStoreClient, openTables } from '../core/store/open-tables.ts';
import type { Table } from '../core/store/table.ts';
import { TABLES, type TableId } from '../core/store/tables.ts';
import { readEnvironment, text, type Variables } from './environment.ts';

/** @param responseMs how long to wait for the store; that of a request when absent */
export function openFunctionTables<I extends TableId>(
  ids: readonly I[],
  variables: Variables,
  responseMs?: number,
): Record<I, Table> {
  const schema = z.object(Object.fromEntries(ids.map((id) => [TABLES[id].variable, text])));
  const found = readEnvironment(schema, variables) as Record<string, string>;
  const names = Object.fromEntries(ids.map((id) => [id, found[TABLES[id].variable]])) as Record<I, string>;
  return openTables(createStoreClient(responseMs), names);
}
