/** Names of CSV files: what the file is of, its days, and when it was known. */
import { expect, it } from '@jest/globals';
import { csvFileName } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';

it.each([
  ['trend', { window: 30, format: 'csv' }, 'HKHKG-trend-30d.csv'],
  [
    'trend',
    { days: 3, until: '2026-11-01', as_of: '2026-11-02' },
    'HKHKG-trend-3d-2026-11-01-as-of-2026-11-02.csv',
  ],
  ['dwell', { window: 14 }, 'HKHKG-dwell-14d.csv'],
  ['dwell', { window: 14, days: 3 }, 'HKHKG-dwell-3d.csv'],
  [
    'waits',
    { from: '2026-10-01', to: '2026-10-31', class: 'container' },
    'HKHKG-waits-container-2026-10-01-2026-10-31.csv',
  ],
  ['forecast', { metric: 'at_anchor' }, 'HKHKG-forecast-at-anchor.csv'],
] as const)('%s of %j is saved as %s', (operation, query, name) => {
  expect(csvFileName(ROUTES[operation], ['HKHKG'], query)).toBe(name);
});

it('a list of all ports is named by its country', () => {
  const query = { sort: '-at_anchor', country: 'HK', as_of: '2026-11-02' };
  expect(csvFileName(ROUTES.ports, [], query)).toBe('ports-HK-as-of-2026-11-02.csv');
});
