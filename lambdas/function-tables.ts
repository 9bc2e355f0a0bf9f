/** The wiring of a function that reads tables, under the names that its environment gives. */
import * as z from 'zod/mini';
import { createStoreClient, openTables, PATIENT_RESPONSE_MS, TABLES } from '../core/store/tables.ts';
import {
  functionWiring,
  type OpenTables,
  readEnvironment,
  type StoreWiring,
  text,
  type Variables,
} from './wiring.ts';

/** Opens tables at AWS, or where the SDK's own variables say. */
export const functionTables =
  (variables: Variables): OpenTables =>
  <I extends keyof typeof TABLES>(ids: readonly I[], wait?: 'patient') => {
    const schema = z.object(Object.fromEntries(ids.map((id) => [TABLES[id].variable, text])));
    const found = readEnvironment(schema, variables) as Record<string, string>;
    const names = Object.fromEntries(ids.map((id) => [id, found[TABLES[id].variable]])) as Record<I, string>;
    return openTables(createStoreClient(wait === 'patient' ? PATIENT_RESPONSE_MS : undefined), names);
  };

export const storeWiring = (variables: Variables): StoreWiring => ({
  ...functionWiring(variables),
  openTables: functionTables(variables),
});
