// Suites wait until the sample of the service that the global setup has started is in its tables.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

const outcome = process.env.LOCAL_SERVICE_OUTCOME;
if (outcome !== undefined) {
  while (!existsSync(outcome)) await setTimeout(100);
  const fault = readFileSync(outcome, 'utf8');
  if (fault !== '') throw new Error(`the sample cannot be ingested: ${fault}`);
}
