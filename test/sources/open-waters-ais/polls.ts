/** Polls for the tests: generated ones around eight US ports, and made-up ones of a few vessels. */

import { CALLS_FILE, type PollReader, type StepCalls } from '../../../core/positions/steps.ts';
import type { PortBox } from '../../../core/reference/port-boxes.ts';
import { PORT_BOXES } from '../../../core/sources/open-waters-ais/declaration.ts';
import { source as openWatersAis } from '../../../core/sources/open-waters-ais/source.ts';
import type { ArchivedFetch, ParsedFetch } from '../../../core/upstream/source.ts';
import { files, type MadeVessel } from '../../builders/geojson-feed.ts';

export const BOXES: readonly PortBox[] = PORT_BOXES;

export const POLLED_AT = Date.parse('2026-03-10T12:00:00Z');

/** A feature off Los Angeles, received a minute before the poll. */
export function feature(polledAt: number, vessel: MadeVessel = {}): object {
  const { mmsi = 205_000_001, latitude = 33.7, longitude = -118.2, age = 60, ...properties } = vessel;
  const seen = `${new Date(polledAt - age * 1000).toISOString().slice(0, 19)}Z`;
  const geometry = { type: 'Point', coordinates: [longitude, latitude] };
  return { type: 'Feature', id: mmsi, geometry, properties: { mmsi, seen, type: 70, sog: 0, ...properties } };
}

/** Tugs at Yokohama and Rotterdam. */
export const canaries = (polledAt: number, more: MadeVessel = {}): object[] => [
  feature(polledAt, { mmsi: 431_000_001, latitude: 35.44, longitude: 139.66, type: 52, ...more }),
  feature(polledAt, { mmsi: 244_000_001, latitude: 51.92, longitude: 4.2, type: 52, ...more }),
];

export const pollOf = (text: string, more: Readonly<Record<string, string>> = {}): ArchivedFetch => ({
  fetchedAt: POLLED_AT,
  files: files({ 'vessels-1.geojson': text, ...more }),
});

/** What the step over a poll wrote. */
export function replyOf(fetched: ArchivedFetch, state?: Uint8Array, source = openWatersAis): StepCalls {
  const { calls } = source.step(fetched, state);
  return JSON.parse(new TextDecoder().decode(calls.get(CALLS_FILE)));
}

/** Steps over polls in turn, and reads each as the ingest does. */
export function* stepsOver(
  polls: Iterable<ArchivedFetch>,
  source: Pick<PollReader, 'step' | 'parse'> = openWatersAis,
): Generator<ParsedFetch> {
  let state: Uint8Array | undefined;
  for (const fetched of polls) {
    const step = source.step(fetched, state);
    state = step.state;
    yield source.parse({ fetchedAt: fetched.fetchedAt, files: step.calls });
  }
}
