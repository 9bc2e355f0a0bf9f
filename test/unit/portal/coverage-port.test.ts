/** What the coverage page says of a port: its age, and where it is read. */
import { expect, it } from '@jest/globals';
import { ageText, areaText } from '../../../portal/docs/coverage-port.ts';

const AS_OF = '2026-11-20T10:00:00Z';
const now = Date.parse('2026-11-20T13:00:00Z');

it.each<[string, Parameters<typeof ageText>[0], boolean]>([
  ['newest observation 3 h ago', { as_of: AS_OF, evidence: 'observed' }, false],
  ['made-up sample data, newest observation 3 h ago', { as_of: AS_OF, evidence: 'simulated' }, false],
  ['recorded, as of 20 Nov 2026, 10:00 UTC', { as_of: AS_OF, evidence: 'recorded' }, true],
  ['this service has observed nothing yet', { as_of: null, evidence: 'expected' }, false],
  ['not known here: this service does not serve the port, or needs a key', undefined, false],
])('says of its age: %s', (text, served, isRecorded) => {
  expect(ageText(served, { now, isRecorded })).toBe(text);
});

it('names the box, the approaches, the anchorages and the pilot grounds of a port that is read by positions', () => {
  const port = {
    port: 'DKAAR',
    name: 'Aarhus',
    country: 'Denmark',
    source: 'dma-ais',
    evidence: 'expected',
    freshness: 'three days late',
    since: '2006',
    endpoints: {},
  };
  const box = { south: 56, north: 56.3, west: 10.1, east: 10.5 };
  const approach = { ...box, name: 'the bay', kind: 'roadstead', reason: '', source: '' };
  const anchorage = { name: 'A', source: '', as_of: '', nearest_nm: 1, farthest_nm: 2 };
  expect(areaText(port)).toBeUndefined();
  expect(
    areaText({
      ...port,
      box,
      approaches: [approach],
      anchorages: [anchorage],
      pilot_grounds: [{ ...anchorage, name: 'P' }],
    }),
  ).toBe('56° to 56.3° north, 10.1° to 10.5° east and the bay; anchorages: A; pilots board at: P');
  expect(areaText({ ...port, box })).toMatch(
    /; no anchorage that a public document places; no pilot ground that a public document places$/,
  );
  const grounds_not_found = { searched: '2026-11-23', remark: 'bearings alone.' };
  expect(areaText({ ...port, box, grounds_not_found })).toMatch(
    / places \(searched 2026-11-23: bearings alone\.\)$/,
  );
});
