/** The tables of CyPort and their traps, on made-up rows. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import { readCounts, readCyport, readPassages } from './tables.ts';

const csv = (text: string): Uint8Array => Buffer.from(text);

const HEADER =
  'SID,PORT_ID,port,start_date,end_date,total_impact,max_impact,day_of_recover,max_impact_date,start_recovery_date (Slope),end_recovery_date,Wind_speed';
const LOSS =
  '2017228N14314,35,"Port Arthur, TX",8/25/2017,8/31/2017,9.4,0.93,11,9/1/2017,9/10/2017 0:00,9/11/2017 0:00,13.6';
const NO_LOSS = '2017228N14314,36,"Elsewhere, TX",8/25/2017,8/26/2017,0,0,0,0,0,0,9.1';

it('days around the yearly reset of the counts, blanks and days without a column are unknown', () => {
  const { days, ports } = readCounts(
    csv('port,2016-12-17,2016-12-18,2017-01-08,2017-01-09,2017-01-10,2017-01-12\n6,4,5,1,2,,3\n'),
  );
  expect([days[0], days.at(-1), days.length]).toEqual(['2016-12-17', '2017-01-12', 27]);
  const known = days.flatMap((day, i) =>
    ports[0]?.counts[i] === undefined ? [] : [[day, ports[0].counts[i]]],
  );
  expect(known).toEqual([
    ['2016-12-17', 4],
    ['2017-01-09', 2],
    ['2017-01-12', 3],
  ]);
});

it('refuses a count that is not a number, and a table without days', () => {
  expect(() => readCounts(csv('port,2016-06-01\n6,many\n'))).toThrow(RangeError);
  expect(() => readCounts(csv('port\n6\n'))).toThrow(RangeError);
});

it('a passage has its days in either form, and a loss of 0 has no day', () => {
  const [arthur, elsewhere, later] = readPassages(
    csv([HEADER, LOSS, NO_LOSS, LOSS.replace('9/1/2017', '2017-09-01')].join('\n')),
  );
  expect(arthur).toEqual({
    port: '35',
    name: 'Port Arthur, TX',
    from: '2017-08-25',
    to: '2017-08-31',
    loss: 0.93,
    lossOn: '2017-09-01',
    recoveredOn: '2017-09-11',
  });
  expect(elsewhere).toMatchObject({ loss: 0, lossOn: undefined, recoveredOn: undefined });
  expect(later?.lossOn).toBe('2017-09-01');
});

it('a passage without days, of a day that does not exist, or with a loss above 1 is refused', () => {
  for (const row of [
    NO_LOSS.replace('8/25/2017', '0'),
    LOSS.replace('9/1/2017', '9/31/2017'),
    LOSS.replace('0.93', '1.2'),
  ])
    expect(() => readPassages(csv(`${HEADER}\n${row}`))).toThrow(RangeError);
});

it('passages of ports without counts are left out', () => {
  const folder = mkdtempSync(join(tmpdir(), 'cyport-'));
  writeFileSync(join(folder, 'port_vessel_count.csv.gz'), gzipSync('port,2017-08-25\n35,4\n'));
  writeFileSync(join(folder, 'interactions.csv.gz'), gzipSync([HEADER, LOSS, NO_LOSS].join('\n')));
  expect(readCyport(folder).passages.map(({ port }) => port)).toEqual(['35']);
  rmSync(folder, { recursive: true });
});
