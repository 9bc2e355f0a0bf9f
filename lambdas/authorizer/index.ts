/** Wiring of the authorizer. */
import * as z from 'zod/mini';
import { KEY_PREFIXES } from '../../core/keys/key.ts';
import { createKeyStore } from '../../core/keys/key-table.ts';
import { readEnvironment } from '../environment.ts';
import { openFunctionTables } from '../function-tables.ts';
import { createAuthorizer } from './authorizer.ts';

const { KEY_PREFIX } = readEnvironment(
  z.object({ KEY_PREFIX: z.enum([KEY_PREFIXES.dev, KEY_PREFIXES.live]) }),
  process.env,
);
const { apiKeys } = openFunctionTables(['apiKeys'], process.env);

export const handler = createAuthorizer({
  keys: createKeyStore(apiKeys),
  prefix: KEY_PREFIX,
  // Limits run on the wall clock, even when the service is set to another time.
  now: Date.now,
});
