/** The accuracy page: measured sections are replaced, everything else stays. */
import { expect, it } from '@jest/globals';
import { type Section, withSections } from './report.ts';

const section = (id: string, title: string, body: string): Section => ({
  id,
  title,
  body,
  plot: '<svg/>',
  plotText: 'a plot',
});

const PAGE = `# Head

by hand

## One

old one

![a plot](accuracy/one.svg)

## Two

old two

![a plot](accuracy/two.svg)
`;

it('replaces a measured section in its place, by its id, and keeps everything else', () => {
  const page = withSections(PAGE, [section('one', 'Another title', 'new one')]);
  expect(page).toBe(PAGE.replace('## One\n\nold one', '## Another title\n\nnew one'));
});

it('throws for a section that the page does not have', () => {
  expect(() => withSections(PAGE, [section('three', 'Three', 'new')])).toThrow(RangeError);
});
