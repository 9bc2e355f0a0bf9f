import { expect, it } from '@jest/globals';
import { type JestReport, outcomeOf, rowsToRun } from '../../../../bin/smoke/outcome.ts';

const DATA = { port: 'FIHEL', code: '85' };
type Result = JestReport['testResults'][number]['assertionResults'][number];
const result = (title: string, status: string, ...failureMessages: string[]): Result => ({
  title,
  status,
  failureMessages,
});
const reportOf = (...assertionResults: Result[]): JestReport => ({
  testResults: [{ name: 'file', message: '', assertionResults }],
});

it('counts only rows, and starts with what failed', () => {
  const said = Array.from({ length: 50 }, (_, line) => `line ${line}`).join('\n');
  const report = reportOf(
    result('[S4.01] a row', 'passed'),
    result('[S4.02] another', 'failed', said),
    result('no row', 'failed', said),
  );
  const { passed, failed, leftOut } = outcomeOf(report, DATA);
  expect([passed, failed.map(({ title }) => title), leftOut.size]).toEqual([1, ['[S4.02] another'], 0]);
  expect(failed[0]?.message).toMatch(/^line 0\n/);
  expect(failed[0]?.message).not.toContain('line 20');
});

it('reports a row that only a real gateway can settle, and does not count it as failed', () => {
  const report = reportOf(
    result('[S4.49] [gateway] a slash too many', 'failed', 'expected 404, got 200'),
    result('[S4.48] [gateway] a broken escape', 'passed'),
  );
  const { passed, failed, informative } = outcomeOf(report, DATA);
  expect([passed, failed]).toEqual([1, []]);
  expect(informative).toEqual([
    { title: '[S4.49] [gateway] a slash too many', message: 'expected 404, got 200' },
  ]);
});

it('skips rows that need a key that was not given, data of their own, or an index that the stage lacks', () => {
  const report = reportOf(
    result('[S5.16] disabled', 'failed', 'Error: there is no key disabled: set KEY_DISABLED'),
    result('[S8.01] limits', 'pending'),
    result('[S2.37] index', 'failed', 'expected 0 to be greater'),
  );
  const { failed, leftOut } = outcomeOf(report, { port: 'FIHEL', code: undefined });
  expect(failed).toEqual([]);
  expect([...leftOut]).toEqual([
    ['no key disabled was given', ['[S5.16] disabled']],
    ['they need data and keys of their own', ['[S8.01] limits']],
    ['no HS code has an index', ['[S2.37] index']],
  ]);
  expect(outcomeOf(report, DATA).failed.map(({ title }) => title)).toEqual(['[S2.37] index']);
});

it('fails when a file could not be run', () => {
  const report = { testResults: [{ name: 'file', message: 'SyntaxError', assertionResults: [] }] };
  expect(outcomeOf(report, DATA).failed).toEqual([{ title: 'file', message: 'SyntaxError' }]);
});

it('runs every row where there are figures, and those that read none where there are not', () => {
  expect(rowsToRun(DATA).test('[S2.09] trend point')).toBe(true);
  expect(rowsToRun(DATA).test('serves the API')).toBe(false);
  const without = rowsToRun({ port: undefined });
  expect([without.test('[S5.12] no key'), without.test('[S2.09] trend point')]).toEqual([true, false]);
});
