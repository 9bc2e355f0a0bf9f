/** Wiring of the authorizer. */
import * as z from 'zod/mini';
import { KEY_PREFIXES } from '../../core/access/key.ts';
import { createKeyStore } from '../../core/store/api-keys.ts';
import { readEnvironment } from '../../core/store/environment.ts';
import { openFunctionTables } from '../../core/store/open-tables.ts';
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
