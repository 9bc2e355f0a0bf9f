/** Every reason for which the ingest refuses data has its entry in the runbook. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { NOTICE_REASONS } from '../../core/calls/observation.ts';

const runbook = readFileSync('docs/runbook.md', 'utf8');

const sources = ['core/ingest', 'core/upstream', 'core/positions', 'core/sources', 'core/calls'].flatMap(
  (folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts'))
      .map((path) => readFileSync(join(folder, path), 'utf8')),
);

/** Literals where a refusal is made: `new RefusedReply('…'`, `reason: '…'`, `refuse('…'`, both sides of a condition, and bounds by share. */
const REASONS = [
  /(?:new (?:RefusedReply|UpstreamFailure)|\b(?:refuse|compare))\(\s*(?:[^'()]*\? )?'([a-z-]+)'(?: : '([a-z-]+)')?/g,
  /\breason(?:: | = )(?:[^',;]*\? )?'([a-z-]+)'(?: : '([a-z-]+)')?/g,
  /\['([a-z-]+)', [^,]+, MAX_SHARES/g,
];
const found = new Set(
  sources.flatMap((text) =>
    REASONS.flatMap((pattern) => [...text.matchAll(pattern)].flatMap(([, ...reasons]) => reasons)),
  ),
);
const reasons = [...new Set([...found, ...NOTICE_REASONS])].filter((reason) => reason !== undefined).sort();

it('finds reasons of replies, of records and of conditions', () => {
  expect(reasons).toEqual(
    expect.arrayContaining(['outside-boxes', 'behind-state', 'impossible-order', 'other-day']),
  );
  expect(reasons.length).toBeGreaterThan(50);
});

it.each(reasons)('the runbook says what `%s` means and what to do', (reason) => {
  expect(runbook.includes(`\`${reason}\``)).toBe(true);
});
