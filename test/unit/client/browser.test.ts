/** A live key in a browser is refused, because every visitor could read it. */
import { afterEach, describe, expect, it } from '@jest/globals';
import { PortCongestionClient } from '../../../packages/client/index.ts';

const LIVE = 'pcd_live_000000000000000000000000';
const DEV = 'pcd_dev_000000000000000000000000';
const make = (apiKey: string, allowLiveKeyInBrowser?: boolean) => () =>
  new PortCongestionClient({ baseUrl: 'https://service.test', apiKey, allowLiveKeyInBrowser });
const world = globalThis as { document?: unknown; importScripts?: unknown };

afterEach(() => {
  delete world.document;
  delete world.importScripts;
});

it('takes a live key on a server', () => expect(make(LIVE)).not.toThrow());

describe.each([
  ['a page', () => (world.document = {})],
  ['a worker', () => (world.importScripts = () => undefined)],
])('in %s', (_, enter) => {
  it('refuses a live key, without saying it', () => {
    enter();
    expect(make(LIVE)).toThrow(/live key does not belong in a browser/);
    expect(make(LIVE)).not.toThrow(LIVE);
  });

  it('takes it when that is allowed in so many words', () => {
    enter();
    expect(make(LIVE, true)).not.toThrow();
    expect(make(LIVE, false)).toThrow();
  });

  it('takes a development key', () => {
    enter();
    expect(make(DEV)).not.toThrow();
  });
});
