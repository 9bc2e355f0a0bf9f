/** The coverage page: its filters, the address that holds them, and what it says of a port. */
import { expect, it } from '@jest/globals';
import type { CoveredPort } from '../../../portal/api/coverage.ts';
import { coverageQuery, matching, readFilter } from '../../../portal/docs/coverage-filter.ts';
import { ageText, areaText } from '../../../portal/docs/coverage-port.ts';

const port = (code: string, evidence: string, waits: string, freshness: string): CoveredPort => ({
  port: code,
  name: code,
  country: code.slice(0, 2),
  source: 'one',
  evidence,
  freshness,
  since: 'first poll',
  endpoints: { snapshot: 'yes', waits },
});
const PORTS = [
  port('HKHKG', 'recorded', 'yes', 'minutes'),
  port('FIHEL', 'recorded, of other ports', 'no', 'minutes'),
  port('NLRTM', 'read', 'yes', 'days'),
  port('SGSIN', 'expected', 'expected', 'days'),
];
const found = (query: string): string[] => matching(PORTS, readFilter(query)).map((record) => record.port);

it.each([
  ['', ['HKHKG', 'FIHEL', 'NLRTM', 'SGSIN']],
  ['?country=HK', ['HKHKG']],
  ['?evidence=recorded', ['HKHKG', 'FIHEL']],
  ['?evidence=expected', ['SGSIN']],
  ['?evidence=read', ['NLRTM']],
  ['?endpoint=waits', ['HKHKG', 'NLRTM', 'SGSIN']],
  ['?endpoint=nothing', []],
  ['?freshness=days&evidence=expected', ['SGSIN']],
])('%s leaves %j', (query, codes) => {
  expect(found(query)).toEqual(codes);
});

it('an address keeps the filters that are set and the port, and nothing else', () => {
  const kept = (address: string) => coverageQuery(readFilter(address));
  expect(kept('?country=HK&evidence=recorded&other=1')).toBe('?country=HK&evidence=recorded');
  expect(kept('?port=HKHKG&freshness=days')).toBe('?freshness=days&port=HKHKG');
  expect(kept('')).toBe('');
});

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
  const aarhus = port('DKAAR', 'expected', 'expected', 'three days late');
  const box = { south: 56, north: 56.3, west: 10.1, east: 10.5 };
  const approach = { ...box, name: 'the bay', kind: 'roadstead', reason: '', source: '' };
  const anchorage = { name: 'A', source: '', as_of: '', nearest_nm: 1, farthest_nm: 2 };
  const grounds = { anchorages: [anchorage], pilot_grounds: [{ ...anchorage, name: 'P' }] };
  expect(areaText(aarhus)).toBeUndefined();
  expect(areaText({ ...aarhus, box, approaches: [approach], ...grounds })).toBe(
    '56° to 56.3° north, 10.1° to 10.5° east and the bay; anchorages: A; pilots board at: P',
  );
  expect(areaText({ ...aarhus, box })).toMatch(
    /; no anchorage that a public document places; no pilot ground that a public document places$/,
  );
  const grounds_not_found = { searched: '2026-11-23', remark: 'bearings alone.' };
  expect(areaText({ ...aarhus, box, grounds_not_found })).toMatch(
    / places \(searched 2026-11-23: bearings alone\.\)$/,
  );
});
