/** What is written again with the same bytes, whatever order DynamoDB returns rows and attributes in. */
import { expect, it } from '@jest/globals';
import { createKeyCopy } from '../../../core/access/gateway-administration.ts';
import type { KeyRow } from '../../../core/access/keys.ts';

const reversed = <T extends object>(row: T): T => Object.fromEntries(Object.entries(row).reverse()) as T;

it('the list of the keys, which outlives a region', async () => {
  const sent: { input: Record<string, unknown> }[] = [];
  const client = { send: async (command: never) => void sent.push(command) };
  const row = (digest: string): KeyRow => ({ digest, keyId: digest, name: 'acme', enabled: true });
  const copy = createKeyCopy(client as never, 'archive');
  await copy([row('b'), row('a')]);
  await copy([reversed(row('a')), row('b')]);
  expect(sent[0]?.input).toMatchObject({
    Bucket: 'archive',
    Key: 'keys.json',
    ContentType: 'application/json',
  });
  expect(JSON.parse(String(sent[0]?.input.Body))).toEqual([row('a'), row('b')]);
  expect(sent[1]?.input).toEqual(sent[0]?.input);
});
