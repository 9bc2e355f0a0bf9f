/** The filters of the coverage table and the address that holds them. */
import { expect, it } from '@jest/globals';
import type { CoveredPort } from '../../../portal/api/coverage.ts';
import { coverageQuery, matching, readFilter, readPort } from '../../../portal/docs/coverage-filter.ts';

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
  port('BRSSZ', 'expected, offline since 2026-06-23', 'archive', 'days'),
  port('SGSIN', 'expected', 'expected', 'days'),
];
const found = (query: string): string[] => matching(PORTS, readFilter(query)).map((one) => one.port);

it.each([
  ['', ['HKHKG', 'FIHEL', 'BRSSZ', 'SGSIN']],
  ['?country=HK', ['HKHKG']],
  ['?evidence=recorded', ['HKHKG', 'FIHEL']],
  ['?evidence=expected', ['SGSIN']],
  ['?evidence=offline', ['BRSSZ']],
  ['?endpoint=waits', ['HKHKG', 'BRSSZ', 'SGSIN']],
  ['?endpoint=nothing', []],
  ['?freshness=days&evidence=expected', ['SGSIN']],
])('%s leaves %j', (query, codes) => {
  expect(found(query)).toEqual(codes);
});

it('an address keeps the filters that are set and the port, and nothing else', () => {
  expect(coverageQuery(readFilter('?country=HK&evidence=recorded&other=1'), '')).toBe(
    '?country=HK&evidence=recorded',
  );
  expect(coverageQuery(readFilter(''), '')).toBe('');
  const address = coverageQuery(readFilter('?freshness=days'), 'HKHKG');
  expect(address).toBe('?freshness=days&port=HKHKG');
  expect([readPort(address), readPort('?freshness=days')]).toEqual(['HKHKG', '']);
});
