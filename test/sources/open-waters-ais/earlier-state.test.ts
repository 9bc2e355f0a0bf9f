/** A state that the version with learned places and compared ports has written continues; `earlier.state` is one. */
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { POLL_PARAMETERS } from '../../../core/positions/fix.ts';
import { ANCHORAGE_AREAS } from '../../../core/positions/port-areas.ts';
import { stateBefore, stepParts } from '../../../core/positions/steps.ts';
import { PORTS } from '../../../core/reference/ports.ts';
import { MINUTE_MS } from '../../../core/reference/time.ts';
import { PORT_APPROACHES, PORT_BOXES } from '../../../core/sources/open-waters-ais/declaration.ts';
import { source as openWatersAis } from '../../../core/sources/open-waters-ais/source.ts';
import { collection, files } from '../../builders/geojson-feed.ts';
import { canaries, feature, POLLED_AT, replyOf } from './polls.ts';

const EARLIER = new Uint8Array(
  readFileSync(new URL('../../unit/positions/samples/earlier.state', import.meta.url)),
);
/** It was made of twenty polls, ten minutes apart, of a vessel alongside at Long Beach and one at Kaohsiung, which was compared. */
const NEXT_AT = POLLED_AT + 200 * MINUTE_MS;
const COMPARED = ['FIHEL', 'FIKTK', 'HKHKG', 'TWKHH'];

const areas = { parameters: POLL_PARAMETERS, boxes: PORT_BOXES, approaches: PORT_APPROACHES };
const pinsWith = (anchorageAreas = ANCHORAGE_AREAS) => stepParts({ ...areas, anchorageAreas }, PORTS).pins;

it('a state of an earlier version is read without a reset, and only its compared ports leave', () => {
  const { state, notices } = stateBefore(EARLIER, pinsWith());
  expect(notices).toEqual([
    { reason: 'ports-changed', detail: expect.stringMatching(`^${COMPARED.join(', ')}: `) },
  ]);
  expect([...state.vessels.keys()].sort()).toEqual([205_000_001, 244_000_001, 416_000_001, 431_000_001]);
  expect([...state.published.values()].map(({ port }) => port)).toEqual(['USLGB']);
  expect(Object.keys(state.receptions)).toContain('JPYOK');
  expect(Object.keys(state.receptions).filter((name) => COMPARED.includes(name))).toEqual([]);
});

it('a vessel in a state of an earlier version has the same call after the next poll', () => {
  let state: Uint8Array | undefined = EARLIER;
  const records = [0, 10, 20, 30].flatMap((minutes) => {
    const at = NEXT_AT + minutes * MINUTE_MS;
    const leaving = feature(at, { latitude: 33.75 - 0.003 * minutes, longitude: -118.2, sog: 12 });
    const text = collection([leaving, ...canaries(at)]);
    const poll = { fetchedAt: at, files: files({ 'vessels-1.geojson': text }) };
    const { batches } = replyOf(poll, state);
    state = openWatersAis.step(poll, state).state;
    return batches.flatMap((batch) => batch.records);
  });
  expect(records.length).toBeGreaterThan(0);
  expect(new Set(records.map(({ callId }) => callId))).toEqual(new Set(['205000001-1773143940']));
  expect(records.at(-1)?.stops[0]?.atdAt).toBeDefined();
});

it('other anchorage areas are noticed once a state records them', () => {
  expect(pinsWith(ANCHORAGE_AREAS.slice(1)).anchorages).not.toBe(pinsWith().anchorages);
  const poll = { fetchedAt: NEXT_AT, files: files({ 'vessels-1.geojson': collection(canaries(NEXT_AT)) }) };
  const { state } = openWatersAis.step(poll, EARLIER);
  const noticed = (pins = pinsWith()) => stateBefore(state, pins).notices.map(({ reason }) => reason);
  expect(noticed()).toEqual([]);
  expect(noticed(pinsWith(ANCHORAGE_AREAS.slice(1)))).toEqual(['anchorages-changed']);
});
