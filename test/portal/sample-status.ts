/** A status with a fresh, a late and a stale source. */
import type { ServiceStatus } from '../../core/contracts/published-files.ts';

export const STATUS: ServiceStatus = {
  time: '2026-11-20T12:00:00Z',
  sources: [
    {
      source: 'fintraffic-digitraffic',
      name: 'Digitraffic port calls',
      state: 'late',
      last_fetch_iso: '2026-11-20T08:50:00Z',
      every_minutes: 10,
      stale_after_minutes: 360,
      known_since_iso: '2026-09-20T00:00:00Z',
      outages: [
        { from: '2026-11-10T18:00:00Z', to: '2026-11-11T06:00:00Z' },
        { from: '2026-11-20T09:00:00Z' },
      ],
    },
    {
      source: 'hk-marine-department',
      name: 'Vessel arrivals and departures',
      state: 'fresh',
      last_fetch_iso: '2026-11-20T11:50:00Z',
      every_minutes: 10,
      stale_after_minutes: 60,
      known_since_iso: '2026-01-05T00:00:00Z',
      outages: [],
    },
    {
      source: 'us-census-trade',
      name: 'Monthly imports by HS code',
      state: 'stale',
      every_minutes: 1440,
      stale_after_minutes: 4320,
      outages: [],
    },
  ],
};
