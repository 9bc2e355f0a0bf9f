import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createBatchedSender } from '../../../../local/gateway/gateway.ts';

test('sends the responses that became ready in a turn in order, at its end', async () => {
  const sent: string[] = [];
  const sendBatched = createBatchedSender();
  sendBatched(() => sent.push('first'));
  sendBatched(() => sent.push('second'));
  await Promise.resolve();
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual(['first', 'second']);
});

test('leaves what becomes ready during the sending to the turn after it', async () => {
  const sent: string[] = [];
  const sendBatched = createBatchedSender();
  sendBatched(() => {
    sent.push('first');
    sendBatched(() => sent.push('later'));
  });
  await turn();
  expect(sent).toEqual(['first']);
  await turn();
  expect(sent).toEqual(['first', 'later']);
});
