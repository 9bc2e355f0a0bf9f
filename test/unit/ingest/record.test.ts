/** What a pass leaves behind is what alarms and dashboards watch: upstream faults among it. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PassOutcome } from '../../../core/ingest/pass.ts';
import { createPassRecord } from '../../../core/ingest/record.ts';

const NOW = Date.UTC(2026, 2, 2, 12);
const OK: PassOutcome = {
  source: 'hk-marine-department',
  state: 'ok',
  fetches: 1,
  changedRecords: 3,
  refusals: [],
  unfinished: false,
  status: {
    source: 'hk-marine-department',
    failures: 0,
    lastFetchAt: NOW - 60 * 60_000,
    asOfAt: NOW - 90 * 60_000,
  },
};

let written: string[];
beforeEach(() => {
  // Written to this console, and metrics all the same.
  process.env.POWERTOOLS_DEV = 'true';
  process.env.POWERTOOLS_METRICS_DISABLED = 'false';
  written = [];
  for (const name of ['log', 'info', 'warn', 'error'] as const)
    jest.spyOn(console, name).mockImplementation((line: unknown) => {
      written.push(String(line));
    });
});
afterEach(() => {
  delete process.env.POWERTOOLS_DEV;
  delete process.env.POWERTOOLS_METRICS_DISABLED;
  jest.restoreAllMocks();
});

/** Metrics of one outcome by name, and its log lines. */
function recordOf(outcome: PassOutcome) {
  createPassRecord()(outcome, NOW);
  const entries = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const metrics = entries.filter((entry) => '_aws' in entry);
  expect(metrics.every(({ source }) => source === outcome.source)).toBe(true);
  const values = metrics.flatMap((entry) =>
    Object.entries(entry).filter(([name]) => /^(Successful|Failed|Fetch|Source|Observations)/.test(name)),
  );
  const lines = entries.filter((entry) => !('_aws' in entry));
  return { values: Object.fromEntries(values), lines };
}

describe('the record of a pass', () => {
  it('counts a fetch that was taken, and says how old it and the data are', () => {
    const { values } = recordOf(OK);
    expect(values).toEqual({
      SuccessfulFetches: 1,
      FetchAge: 60,
      SourceAge: 90,
      ObservationsTaken: 3,
      ObservationsRefused: 0,
    });
  });

  it.each([
    'html',
    'empty',
    'malformed',
    'too-large',
    'encoding',
    'future-reply',
    'stale-reply',
    'timed-out',
  ])('shows an upstream fault, and that the data grow older: %s', (reason) => {
    const { values, lines } = recordOf({ ...OK, state: 'failed', changedRecords: 0, reason, detail: 'why' });
    expect(values).toEqual({
      FailedFetches: 1,
      FetchAge: 60,
      SourceAge: 90,
      ObservationsTaken: 0,
      ObservationsRefused: 1,
    });
    expect(lines).toMatchObject([{ level: 'WARN', message: 'pass', reason, detail: 'why' }]);
  });

  it('names the records that were left out, so many and no more', () => {
    const refusals = Array.from({ length: 30 }, (_, n) => ({
      reason: 'impossible-time',
      detail: `record ${n}`,
    }));
    const { values, lines } = recordOf({ ...OK, refusals });
    expect(values).toMatchObject({ SuccessfulFetches: 1, ObservationsRefused: 30 });
    expect(lines.filter(({ message }) => message === 'refused')).toHaveLength(20);
  });

  it('before anything was taken tells of no age', () => {
    const status = { source: OK.source, failures: 1 };
    const { values } = recordOf({ ...OK, state: 'failed', changedRecords: 0, status });
    expect(Object.keys(values).filter((name) => name.endsWith('Age'))).toEqual([]);
  });

  it('of a walk through a partition is no fetch, and says nothing of the source', () => {
    const { values } = recordOf({ ...OK, status: undefined });
    expect(values).toEqual({ ObservationsTaken: 3, ObservationsRefused: 0 });
  });
});
