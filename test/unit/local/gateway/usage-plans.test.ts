/** Native limits: monthly counts that outlive a restart, and a throttle that leaves the exact limiter the last word. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openUsagePlans } from '../../../../local/gateway/usage-plans.ts';
import type { UsagePlan } from '../../../../local/keys/control-plane.ts';

const plan = (more: Partial<UsagePlan> = {}): UsagePlan => ({
  id: 'p',
  name: 'P',
  throttle: { ratePerSecond: 1, burst: 300 },
  monthlyQuota: 3,
  stages: [],
  tags: {},
  declared: '',
  ...more,
});
const MARCH = Date.UTC(2026, 2, 31, 23, 59, 59, 999);
const fileIn = (): string => join(mkdtempSync(join(tmpdir(), 'usage-')), 'usage.json');

describe('the monthly count', () => {
  it('continues after a restart, and starts at zero with each month in UTC', () => {
    const file = fileIn();
    const first = openUsagePlans(file);
    expect([first.admit(plan(), 'k', MARCH), first.admit(plan(), 'k', MARCH)]).toEqual([
      'admitted',
      'admitted',
    ]);
    first.save();
    const second = openUsagePlans(file);
    expect([second.admit(plan(), 'k', MARCH), second.admit(plan(), 'k', MARCH)]).toEqual([
      'admitted',
      'exhausted',
    ]);
    expect(second.usedOf('p', 'k', MARCH)).toBe(3);
    expect(second.admit(plan(), 'k', MARCH + 1)).toBe('admitted');
    expect(second.usedOf('p', 'k', MARCH + 1)).toBe(1);
  });

  it('is that of a key on its plan', () => {
    const usage = openUsagePlans(undefined);
    usage.setUsed('p', 'k', MARCH, 3);
    expect(usage.admit(plan(), 'k', MARCH)).toBe('exhausted');
    expect(usage.admit(plan(), 'other', MARCH)).toBe('admitted');
    expect(usage.admit(plan({ id: 'q' }), 'k', MARCH)).toBe('admitted');
    expect(usage.admit(plan({ monthlyQuota: 4 }), 'k', MARCH)).toBe('admitted');
    expect(usage.admit(plan({ monthlyQuota: undefined }), 'k', MARCH)).toBe('admitted');
  });

  it('does not count what was throttled', () => {
    const usage = openUsagePlans(undefined);
    const tight = plan({ throttle: { ratePerSecond: 1, burst: 1 }, monthlyQuota: 1000 });
    for (let turn = 0; turn < 100; turn += 1) usage.admit(tight, 'k', MARCH);
    expect(usage.usedOf('p', 'k', MARCH)).toBe(51);
  });
});

describe('the throttle', () => {
  it('follows an edit of the plan at once', () => {
    const usage = openUsagePlans(undefined);
    const of = (burst: number) => plan({ throttle: { ratePerSecond: 1, burst }, monthlyQuota: undefined });
    for (let turn = 0; turn < 350; turn += 1) usage.admit(of(300), 'k', MARCH);
    expect(usage.admit(of(300), 'k', MARCH)).toBe('throttled');
    expect(usage.admit(of(600), 'k', MARCH + 1000)).toBe('admitted');
  });

  /** The exact bucket that stands behind: whatever it would admit, the native one must have let through. */
  it('never refuses what an exact bucket of the same figures admits, whatever comes', () => {
    const arrivals = fc.array(fc.record({ gapMs: fc.nat(1500), at: fc.nat(3) }), {
      minLength: 50,
      maxLength: 400,
    });
    fc.assert(
      fc.property(arrivals, fc.integer({ min: 1, max: 20 }), (gaps, burst) => {
        const usage = openUsagePlans(undefined);
        const tight = plan({ throttle: { ratePerSecond: 1, burst }, monthlyQuota: undefined });
        let now = MARCH;
        let exact = burst;
        let refilledAt = now;
        for (const { gapMs, at } of gaps) {
          now += at === 0 ? gapMs : 0;
          exact = Math.min(burst, exact + (now - refilledAt) / 1000);
          refilledAt = now;
          const native = usage.admit(tight, 'k', now);
          const admits = exact >= 1;
          if (admits) exact -= 1;
          else usage.giveBack(tight, 'k');
          if (admits && native !== 'admitted') return false;
        }
        return true;
      }),
      { seed: 7, numRuns: 200 },
    );
  });
});
