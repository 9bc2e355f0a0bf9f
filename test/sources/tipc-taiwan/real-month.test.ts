/**
 * A real month of Kaohsiung, recomputed from the two files alone by a second reading. TIPC states no licence for its
 * lists, so none are in the repository: REAL_REPLIES names a folder that has them.
 */
import { describe, expect, it } from '@jest/globals';
import type { CallsObservation } from '../../../core/calls/observation.ts';
import { openLedger } from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { parseTaiwan } from '../../../core/sources/tipc-taiwan/parse.ts';
import { ELSEWHERE } from '../../builders/elsewhere.ts';

const month = ELSEWHERE.find(({ source }) => source === 'tipc-taiwan');
const files = month?.absent === undefined ? month?.read() : undefined;
const HOUR_MS = 3_600_000;
const FETCHED_AT = Date.parse('2026-06-01T00:00:00Z');

/** Element texts of each SHIP, without an XML parser. */
const shipsOf = (name: string): Map<string, string>[] =>
  new TextDecoder('big5')
    .decode(files?.get(name))
    .split('<SHIP>')
    .slice(1)
    .map(
      (ship) =>
        new Map(
          [...ship.matchAll(/<([A-Z0-9_]+)>([^<]*)<\/\1>/g)].map(([, tag = '', text = '']) => [
            tag,
            text.trim(),
          ]),
        ),
    );

/** Hours since 1970 of `yyyyMMddHHmm` in Taipei. */
const hoursOf = (text = ''): number =>
  Date.parse(
    `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}T${text.slice(8, 10)}:${text.slice(10, 12)}+08:00`,
  ) / HOUR_MS;

function summary(waits: readonly number[]) {
  const anchored = waits.filter((hours) => hours > 0).sort((a, b) => a - b);
  const quantile = (share: number): number => {
    const position = (anchored.length - 1) * share;
    const below = anchored[Math.floor(position)] ?? Number.NaN;
    return below + (position % 1) * ((anchored[Math.ceil(position)] ?? below) - below);
  };
  return {
    berthed: waits.length,
    anchored: anchored.length,
    medianHours: quantile(0.5).toFixed(3),
    p90Hours: quantile(0.9).toFixed(3),
  };
}

(files === undefined ? describe.skip : describe)('a real month of Kaohsiung (REAL_REPLIES)', () => {
  it('has the berthings, anchored vessels and waits that the files state', () => {
    const stated = shipsOf('in-port-KHH.xml')
      .filter((ship) => {
        const [berthed, forecast] = [hoursOf(ship.get('ACT_PORT_DT')), hoursOf(ship.get('EXPECT_DT'))];
        return forecast - berthed <= 30 * 24 && !ship.get('WHARF_CODE')?.includes('錨地');
      })
      .map((ship) => {
        const wait = hoursOf(ship.get('ACT_PORT_DT')) - hoursOf(ship.get('ARRV_DT'));
        return Number.isNaN(wait) ? 0 : wait;
      })
      .filter((wait) => wait >= 0);

    const { observations } = parseTaiwan({ fetchedAt: FETCHED_AT, files: files ?? new Map() });
    const { ledger } = applyObservation(openLedger(), observations[0] as CallsObservation);
    const waits = [...ledger.calls.values()].flatMap((call) => {
      const berth = call.legs.find(({ zone }) => zone === 'berth');
      const anchorage = call.legs.find(({ zone }) => zone === 'anchorage');
      if (berth === undefined || !call.waitKnown) return [];
      return [anchorage === undefined ? 0 : (berth.startAt - anchorage.startAt) / HOUR_MS];
    });
    expect(waits.length).toBeGreaterThan(500);
    expect(summary(waits)).toEqual(summary(stated));
  });

  it('has the departures that the outbound list states', () => {
    const visas = new Set(shipsOf('in-port-KHH.xml').map((ship) => ship.get('VISA_NO')));
    // A departure of more than fifty days after the forecast is stale.
    const left = shipsOf('out-port-KHH.xml').filter((ship) => {
      const late = hoursOf(ship.get('LEAVE_PORT_DT')) - hoursOf(ship.get('EXPECT_DT'));
      return late <= 50 * 24 && visas.has(ship.get('VISA_NO'));
    });
    const batch = parseTaiwan({ fetchedAt: FETCHED_AT, files: files ?? new Map() })
      .observations[0] as CallsObservation;
    const stated = batch.records.filter(({ callId, atdAt }) => visas.has(callId) && atdAt !== undefined);
    expect(stated.length).toBe(left.length);
  });
});
