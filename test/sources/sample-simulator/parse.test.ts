import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { SourceReport } from '../../../core/calls/observation.ts';
import { parseSample } from '../../../core/sources/sample-simulator/parse.ts';
import { type ArchivedFetch, RefusedReply } from '../../../core/sources/source.ts';
import { BEGAN_AT, fetchAt } from './sample.ts';

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
const recordsOf = (reports: readonly SourceReport[]) =>
  reports.flatMap((report) => (report.kind === 'call-batch' ? report.records : []));

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

describe('a bad record', () => {
  it.each([
    ['no call id', { ...entry, call: '' }, 'malformed'],
    ['an unknown traffic', { ...entry, traffic: 'submarine' }, 'malformed'],
    ['no stops', { ...entry, stops: [] }, 'malformed'],
    ['a date that does not exist', { ...entry, arrived: '2026-02-30T01:00:00Z' }, 'malformed'],
    ['a number for a time', { ...entry, recorded: 5 }, 'malformed'],
    ['an unknown zone', { ...entry, stops: [['lock', 'X', '2026-03-02T01:00:00Z', null]] }, 'malformed'],
    ['an arrival after the file', { ...entry, arrived: '2026-03-04T01:00:00Z' }, 'impossible-time'],
    ['a stop before the arrival', { ...entry, arrived: '2026-03-02T02:00:00Z' }, 'impossible-time'],
    [
      'a stop that ends before it begins',
      { ...entry, stops: [['berth', 'X', '2026-03-02T05:00:00Z', '2026-03-02T04:00:00Z']] },
      'impossible-time',
    ],
    [
      'a departure before the last stop ended',
      { ...entry, departed: '2026-03-02T08:00:00Z' },
      'impossible-time',
    ],
  ])('with %s is refused, the others are taken', (_, bad, reason) => {
    const { reports, refusals } = parseSample(fetched({ [NAME]: { ...file, calls: [bad, entry] } }));
    expect(refusals.map((refusal) => refusal.reason)).toEqual([reason]);
    expect(refusals[0]?.detail).toContain(NAME);
    expect(recordsOf(reports).map((record) => record.callId)).toEqual(['USLAX-1']);
  });
});

describe('a bad file', () => {
  it.each([
    ['truncated', { [NAME]: JSON.stringify(file).slice(0, -20) }],
    ['HTML', { [NAME]: '<html>Service unavailable</html>' }],
    ['empty', { [NAME]: '' }],
    ['of another port than its name', { [NAME]: { ...file, port: 'SGSIN' } }],
    ['of a port that the sample has not', { 'calls-DEHAM-2026-03-02.json': { ...file, port: 'DEHAM' } }],
    ['from the future', { [NAME]: { ...file, observed: '2026-03-04T00:00:00Z' } }],
    ['observed before it is covered', { [NAME]: { ...file, observed: '2026-03-01T23:59:59Z' } }],
    ['without calls', { [NAME]: { ...file, calls: 'none' } }],
    ['of an unknown name', { 'readme.txt': file }],
    [
      'with a code that is none',
      { 'imports.json': { measure: 'M', months: ['2026-01'], series: { '8': [1] } } },
    ],
    [
      'with a month that is none',
      { 'imports.json': { measure: 'M', months: ['2026-13'], series: { '85': [1] } } },
    ],
    [
      'with a series too short',
      { 'imports.json': { measure: 'M', months: ['2026-01'], series: { '85': [] } } },
    ],
    [
      'with a negative value',
      { 'imports.json': { measure: 'M', months: ['2026-01'], series: { '85': [-1] } } },
    ],
  ])('that is %s is refused, and so is a fetch of nothing else', (_, files) => {
    expect(() => parseSample(fetched(files))).toThrow(RefusedReply);
    const good = { ...file, port: 'FIHEL' };
    const { reports, refusals } = parseSample(fetched({ ...files, 'calls-FIHEL-2026-03-02.json': good }));
    expect(refusals).toHaveLength(1);
    expect(reports.map((report) => report.kind === 'call-batch' && report.port)).toEqual(['FIHEL']);
  });

  it('refuses a fetch without files', () => {
    expect(() => parseSample(fetched({}))).toThrow(RefusedReply);
  });

  it('never fails otherwise, whatever is cut out of a real one', async () => {
    const real = await fetchAt(FETCHED_AT);
    const [name = '', bytes = new Uint8Array()] =
      [...real.files].find(([key]) => key.includes('USLAX')) ?? [];
    fc.assert(
      fc.property(fc.nat(bytes.length), fc.nat(400), fc.string({ maxLength: 6 }), (from, length, put) => {
        const text = new TextDecoder().decode(bytes);
        const broken = text.slice(0, from) + put + text.slice(from + length);
        const files = new Map(real.files).set(name, new TextEncoder().encode(broken));
        const { reports } = parseSample({ fetchedAt: FETCHED_AT, files });
        expect(reports.length).toBeGreaterThanOrEqual(real.files.size - 1);
      }),
      { numRuns: 60, seed: 1 },
    );
  });
});
