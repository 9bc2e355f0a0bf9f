/** What is written again with the same bytes, whatever order DynamoDB returns rows and attributes in. */
import { expect, it } from '@jest/globals';
import type { KeyRow } from '../../../core/keys/entitlements.ts';
import { createKeyCopy } from '../../../core/keys/key-copy.ts';
import { type PortRow, portFigures } from '../../../core/store/ports.ts';

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

it('the vintage of a port', () => {
  const row: PortRow = {
    port: 'HKHKG',
    name: 'Hong Kong',
    countryCode: 'HK',
    latitude: 22.3,
    longitude: 114.2,
    sources: ['hk-marine-department'],
    snapshot: {
      asOfAt: 0,
      congestionScore: 0.1,
      avgWaitHours: 2,
      waitBasis: 'berthed',
      arrivals24h: 1,
      departures24h: 2,
      atAnchor: 3,
      inPort: 4,
      stoppedSinceAt: 5,
    },
    firstDay: '2026-03-01',
    lastDay: '2026-03-02',
  };
  const { snapshot } = row;
  expect(portFigures({ ...row, ...(snapshot && { snapshot: reversed(snapshot) }) })).toEqual(
    portFigures(row),
  );
  expect(JSON.parse(String(portFigures(row).v))).toEqual({
    ...snapshot,
    firstDay: '2026-03-01',
    lastDay: '2026-03-02',
  });
});
