import { describe, expect, it } from '@jest/globals';
import { parseSample } from '../../../core/sources/sample-simulator/parse.ts';
import type { ArchivedFetch } from '../../../core/sources/source.ts';
import { BEGAN_AT } from './sample.ts';

const FETCHED_AT = BEGAN_AT + 30 * 3_600_000;
const NAME = 'calls-USLAX-2026-03-02.json';

const entry = {
  call: 'USLAX-1',
  vessel: 'SIM-1',
  traffic: 'cargo',
  recorded: '2026-03-02T09:00:00Z',
  arrived: '2026-03-02T01:00:00Z',
  stops: [
    ['anchorage', 'Bay', '2026-03-02T01:00:00Z', '2026-03-02T09:00:00Z'],
    ['moving', 'Fairway', '2026-03-02T09:00:00Z', null],
  ],
};
const file = {
  port: 'USLAX',
  coveredFrom: '2026-03-02T00:00:00Z',
  observed: '2026-03-03T00:00:00Z',
  calls: [entry],
};

const fetched = (files: Record<string, unknown>): ArchivedFetch => ({
  fetchedAt: FETCHED_AT,
  files: new Map(
    Object.entries(files).map(([name, content]) => [
      name,
      new TextEncoder().encode(typeof content === 'string' ? content : JSON.stringify(content)),
    ]),
  ),
});

describe('a good file', () => {
  it('becomes a batch with its records', () => {
    const { reports, refusals, asOfAt } = parseSample(fetched({ [NAME]: file }));
    expect(refusals).toEqual([]);
    expect(asOfAt).toBe(BEGAN_AT + 86_400_000);
    expect(reports).toEqual([
      {
        kind: 'call-batch',
        port: 'USLAX',
        observedAt: asOfAt,
        coveredFromAt: BEGAN_AT,
        records: [
          {
            callId: 'USLAX-1',
            vesselId: 'SIM-1',
            traffic: 'cargo',
            recordedAt: BEGAN_AT + 9 * 3_600_000,
            ataAt: BEGAN_AT + 3_600_000,
            stops: [
              {
                zone: 'anchorage',
                place: 'Bay',
                ataAt: BEGAN_AT + 3_600_000,
                atdAt: BEGAN_AT + 9 * 3_600_000,
              },
              { zone: 'moving', place: 'Fairway', ataAt: BEGAN_AT + 9 * 3_600_000 },
            ],
          },
        ],
      },
    ]);
  });
});
