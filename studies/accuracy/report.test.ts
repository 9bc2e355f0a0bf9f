/** The accuracy page: measured parts are replaced, others stay. */
import { expect, it } from '@jest/globals';
import { type Section, writePage } from './report.ts';

const section = (id: string, body: string): Section => ({
  id,
  title: `About ${id}`,
  body,
  plot: '<svg/>',
  plotText: 'a plot',
});

const PAGE = writePage('# Head', [section('one', 'old one'), section('two', 'old two')], '');

it('a section that is skipped, or that nobody asked for, keeps its figures', () => {
  const parts = [{ id: 'one' }, { id: 'two', title: 'About two', reason: 'no data' }];
  expect(writePage('# Head', parts, PAGE)).toBe(PAGE);
});

it('a measured section is replaced in its place, by its id', () => {
  const renamed = { ...section('one', 'new one'), title: 'Another title' };
  const page = writePage('# Head', [renamed, { id: 'two' }], PAGE);
  expect(page).toContain('## Another title\n\nnew one');
  expect(page).not.toContain('old one');
  expect(page.indexOf('new one')).toBeLessThan(page.indexOf('old two'));
});

it('a skipped section without figures says what is missing, and one that nobody asked for is left out', () => {
  const parts = [{ id: 'three', title: 'Three', reason: 'name the folder.' }, { id: 'four' }];
  expect(writePage('# Head', parts, PAGE)).toBe('# Head\n\n## Three\n\nNot measured yet: name the folder.\n');
});
