/** The recorded replies of 2019 and 2026, against the counts by hand in the README of the recordings. */
import { describe, expect, it } from '@jest/globals';
import { parseDigitraffic } from '../../../core/sources/fintraffic-digitraffic/parse.ts';
import { recordedFetches } from '../../builders/recordings.ts';
import { batchOf } from './port-calls.ts';

function replay(day: string) {
  const [fetched] = recordedFetches('fintraffic-digitraffic', day);
  if (fetched === undefined) throw new Error(`no reply recorded on ${day}`);
  return parseDigitraffic(fetched);
}

describe('recorded replies', () => {
  it('Rauma on 23 October 2019: 1 arrival and 6 departures in 24 h, 1 in port, none at anchor', () => {
    const parsed = replay('20191023');
    const { records, observedAt } = batchOf(parsed);
    expect(new Date(observedAt).toISOString()).toBe('2019-10-23T12:41:00.000Z');
    expect(parsed.refusals).toEqual([]);
    expect(records).toHaveLength(15);

    const times = records.map(({ stops }) => {
      const ata = stops.map((stop) => stop.ataAt).filter((t) => t !== undefined);
      const atd = stops.map((stop) => stop.atdAt).filter((t) => t !== undefined);
      return { ata: ata[0], atd: atd[0] };
    });
    const lastDay = (t: number | undefined) =>
      t !== undefined && t > observedAt - 86_400_000 && t <= observedAt;
    expect(times.filter(({ ata }) => lastDay(ata))).toHaveLength(1);
    expect(times.filter(({ atd }) => lastDay(atd))).toHaveLength(6);
    expect(times.filter(({ ata, atd }) => ata !== undefined && atd === undefined)).toHaveLength(1);
    expect(times.filter(({ ata, atd }) => ata === undefined && atd !== undefined)).toHaveLength(1);
    expect(records.flatMap(({ stops }) => stops).filter((stop) => stop.zone === 'anchorage')).toEqual([]);
  });

  it('HaminaKotka on 8 April 2026: one call announced, its berth not yet known', () => {
    const parsed = replay('20260408');
    expect(batchOf(parsed, 'FIKTK').records).toEqual([
      expect.objectContaining({
        callId: '3352890',
        vesselId: 'imo:9354351',
        stops: [{ zone: 'moving', place: '' }],
      }),
    ]);
  });
});
