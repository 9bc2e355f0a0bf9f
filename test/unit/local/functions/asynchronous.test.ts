/** An asynchronous invocation whose service stops while it runs. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { createAsynchronous } from '../../../../local/functions/asynchronous.ts';

it('ends at once when it fails after the service stopped', async () => {
  const ending = new AbortController();
  const stopAndFail = async () => {
    ending.abort();
    throw new Error('the store is closed');
  };
  const run = createAsynchronous(
    { name: 'pump', retryAttempts: 2, eventAgeMs: 3_600_000, deadLetters: undefined },
    stopAndFail,
    { now: Date.now, signal: ending.signal, deadLetterFile: undefined, report: () => undefined },
  );
  const outcome = await Promise.race([run('a').then(() => 'ended'), delay(1000, 'waits')]);
  expect(outcome).toBe('ended');
});
