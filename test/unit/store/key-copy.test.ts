/** The list of keys that outlives a region. */
import { expect, it } from '@jest/globals';
import type { KeyRow } from '../../../core/access/entitlements.ts';
import { createKeyCopy } from '../../../core/store/key-copy.ts';

it('is one object of digests in a fixed order, whatever order the rows come in', async () => {
  const sent: { input: Record<string, unknown> }[] = [];
  const client = { send: async (command: never) => void sent.push(command) };
  const row = (digest: string): KeyRow => ({ digest, keyId: digest, name: 'acme', enabled: true });
  const copy = createKeyCopy(client as never, 'archive');
  await copy([row('b'), row('a')]);
  await copy([row('a'), row('b')]);
  expect(sent[0]?.input).toEqual({
    Bucket: 'archive',
    Key: 'keys.json',
    Body: JSON.stringify([row('a'), row('b')]),
    ContentType: 'application/json',
  });
  expect(sent[1]?.input).toEqual(sent[0]?.input);
});
