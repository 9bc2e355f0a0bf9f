/** The section on cyclones, of a folder with years on which the rule was not chosen. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { daysBetween } from '../../../core/reference/time.ts';
import { cyclonesSection } from './section.ts';

const DAYS = daysBetween('2019-06-01', '2021-06-30');
/** The losses of two ports: one is all but two vessels, the other a half. */
const COUNTS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  1: { '2020-08-27': 2 },
  2: { '2020-08-28': 6, '2021-03-01': 1 },
};
const PASSAGES = `PORT_ID,port,start_date,end_date,max_impact,max_impact_date,end_recovery_date
1,"First, LA",8/26/2020,8/27/2020,0.83,8/27/2020,8/29/2020 0:00
2,"Second, TX",8/26/2020,8/27/2020,0.5,8/28/2020,8/29/2020 0:00
2,"Second, TX",9/1/2019,9/2/2019,0,0,0
`;

it('years after those of the choice stand by themselves', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cyport-'));
  const rows = Object.entries(COUNTS).map(([port, low]) => [port, ...DAYS.map((day) => low[day] ?? 12)]);
  const counts = [['port', ...DAYS], ...rows].map((row) => row.join(',')).join('\n');
  writeFileSync(join(folder, 'port_vessel_count.csv.gz'), gzipSync(counts));
  writeFileSync(join(folder, 'interactions.csv.gz'), gzipSync(PASSAGES));
  const { body, tables } = cyclonesSection(folder);
  rmSync(folder, { recursive: true });
  expect(body).toContain('2020 to 2021: a quarter finds 1 of 1 losses');
  expect(body).toContain('half finds 2 of 2');
  expect(body).not.toContain('2016 to 2019:');
  const [large, half] = tables?.find(({ name }) => name === 'cyclones-found')?.rows ?? [];
  expect(large?.slice(0, 9)).toEqual([
    '2020 to 2021',
    '10 and more',
    '2',
    'a quarter',
    '1 of 1',
    '0 of 1',
    '-',
    '0',
    '0',
  ]);
  expect(half?.slice(3, 7)).toEqual(['half', '1 of 1', '1 of 1', '-']);
  expect(tables?.find(({ name }) => name === 'cyclones-losses')?.rows).toEqual([
    ['2020-08-27', 'First, LA', '0.83', '12.0', '0.17', '0', '0'],
    ['2020-08-28', 'Second, TX', '0.50', '12.0', '0.50', 'none', '0'],
  ]);
});
