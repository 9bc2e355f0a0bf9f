/** The section on Tarragona of the accuracy page is that of the recordings, whose counts another program has made from the authors' rows. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from '@jest/globals';
import { readTable, type Section } from './report.ts';
import { tarragonaSection } from './tarragona-study.ts';

const recordings = fileURLToPath(new URL('../../recordings', import.meta.url));
let section: Section;
beforeAll(async () => {
  section = await tarragonaSection(recordings);
});

it('is the section of the page, with its tables', () => {
  const page = readFileSync(new URL('../../docs/accuracy.md', import.meta.url), 'utf8');
  expect(page).toContain(section.body);
  expect(section.tables).toEqual(section.tables?.map(({ name }) => readTable(name)));
});

it('has the counts and the monthly means that Python has of the rows', () => {
  for (const count of ['2,443, 2,323', ' 734 ', '11.2 h', '10.1 h', '2019-11-04: 39 vessels took 21.0 h'])
    expect(section.body).toContain(count);
  const [months] = section.tables ?? [];
  expect(months?.rows.map(([, hours]) => hours).join(' ')).toBe(
    '10.8 8.7 11.9 8.5 11.1 11.1 9.1 10.5 13.0 13.8 16.8 9.3',
  );
});
