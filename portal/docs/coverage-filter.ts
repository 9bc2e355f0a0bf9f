/** Filters of the coverage table and the port that is chosen, as the address holds them: `?country=HK&evidence=recorded&port=HKHKG`. */
import type { CoveredPort } from '../api/coverage.ts';

/** `country` is two letters, `endpoint` one that has data of the port, and `port` the UN/LOCODE that is chosen. */
const NAMES = ['country', 'evidence', 'endpoint', 'freshness', 'port'] as const;
/** Empty where nothing is chosen. */
export type CoverageFilter = Readonly<Record<(typeof NAMES)[number], string>>;

/** `read, of other ports` counts as read. */
export const findEvidence = (text: string): string => text.split(',')[0] ?? '';

export function readFilter(search: string): CoverageFilter {
  const given = new URLSearchParams(search);
  return Object.fromEntries(NAMES.map((name) => [name, given.get(name) ?? ''])) as CoverageFilter;
}

export function coverageQuery(filter: CoverageFilter): string {
  const set = NAMES.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]);
  return set.length === 0 ? '' : `?${new URLSearchParams(set)}`;
}

export const matching = (ports: readonly CoveredPort[], filter: CoverageFilter): CoveredPort[] =>
  ports.filter(
    ({ port, evidence, endpoints, freshness }) =>
      port.startsWith(filter.country) &&
      (filter.evidence === '' || findEvidence(evidence) === filter.evidence) &&
      (filter.endpoint === '' || (endpoints[filter.endpoint] ?? 'no') !== 'no') &&
      (filter.freshness === '' || freshness === filter.freshness),
  );
