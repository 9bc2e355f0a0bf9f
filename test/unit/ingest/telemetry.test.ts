/** The log lines and metrics of a pass, on which alarms and dashboards depend. */
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { PassOutcome } from '../../../core/ingest/pass.ts';
import { createPassRecorder } from '../../../core/ingest/telemetry.ts';

const NOW = Date.UTC(2026, 2, 2, 12);
const OK: PassOutcome = {
  source: 'hk-marine-department',
  state: 'ok',
  fetches: 1,
  changedRecords: 3,
  refusals: [],
  notices: [],
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
  // Powertools writes to this console, metrics included.
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
  createPassRecorder()(outcome, NOW);
  const entries = written.map((line) => JSON.parse(line) as Record<string, unknown>);
  const metrics = entries.filter((entry) => '_aws' in entry);
  expect(metrics.every(({ source }) => source === outcome.source)).toBe(true);
  const values = metrics.flatMap((entry) =>
    Object.entries(entry).filter(([name]) =>
      /^(Successful|Failed|Fetch|Source|Observations|Unknown|Calls)/.test(name),
    ),
  );
  const lines = entries.filter((entry) => !('_aws' in entry));
  return { values: Object.fromEntries(values), lines };
}

describe('the record of a pass', () => {
  it('counts a good fetch and publishes its age and the age of the data', () => {
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
  ])('counts an upstream fault and keeps publishing the ages: %s', (reason) => {
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

  it('logs at most 20 of the refused records', () => {
    const refusals = Array.from({ length: 30 }, (_, n) => ({
      reason: 'impossible-time',
      detail: `record ${n}`,
    }));
    const { values, lines } = recordOf({ ...OK, refusals });
    expect(values).toMatchObject({ SuccessfulFetches: 1, ObservationsRefused: 30 });
    expect(lines.filter(({ message }) => message === 'refused')).toHaveLength(20);
  });

  it('counts notices by what they are, and logs at most 20 of them', () => {
    const notices = [
      ...Array.from({ length: 30 }, (_, n) => ({ reason: 'unknown-place' as const, detail: `place ${n}` })),
      { reason: 'contradicted-call' as const, detail: 'HKHKG 1f7d0535a57f72db: ATA, now another' },
    ];
    const { values, lines } = recordOf({ ...OK, notices });
    expect(values).toMatchObject({ UnknownPlaces: 30, CallsContradicted: 1, ObservationsRefused: 0 });
    expect(values).not.toHaveProperty('CallsWithdrawn');
    const logged = lines.filter(({ message }) => message === 'notice');
    expect(logged).toHaveLength(20);
    expect(logged[0]).toMatchObject({ level: 'INFO', reason: 'unknown-place', detail: 'place 0' });
  });

  it('publishes no age before the first good fetch', () => {
    const status = { source: OK.source, failures: 1 };
    const { values } = recordOf({ ...OK, state: 'failed', changedRecords: 0, status });
    expect(Object.keys(values).filter((name) => name.endsWith('Age'))).toEqual([]);
  });

  it('of a partition of a back-fill counts no fetch and publishes no age', () => {
    const { values } = recordOf({ ...OK, status: undefined });
    expect(values).toEqual({ ObservationsTaken: 3, ObservationsRefused: 0 });
  });
});
