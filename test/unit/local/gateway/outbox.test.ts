import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { createOutbox } from '../../../../local/gateway/outbox.ts';

test('sends in their order, at the end of the turn, the answers that became ready in it', async () => {
  const sent: string[] = [];
  const sendLater = createOutbox();
  sendLater(() => sent.push('first'));
  sendLater(() => sent.push('second'));
  await Promise.resolve();
  expect(sent).toEqual([]);
  await turn();
  expect(sent).toEqual(['first', 'second']);
});

test('leaves what becomes ready during the sending to the turn after it', async () => {
  const sent: string[] = [];
  const sendLater = createOutbox();
  sendLater(() => {
    sent.push('first');
    sendLater(() => sent.push('later'));
  });
  await turn();
  expect(sent).toEqual(['first']);
  await turn();
  expect(sent).toEqual(['first', 'later']);
});
