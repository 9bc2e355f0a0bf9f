/** The study of the Los Angeles queue, on a file in the layout of the port's daily vessel activity. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { studyQueueClearing } from '../../../accuracy/queue-clearing-study.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'queue-'));
});
afterAll(() => rm(folder, { recursive: true }));

const HEADER = 'Date,POLA Vessels at Anchor,POLA Vessels at Berth';
const START = Date.UTC(2022, 0, 3);

/** One row a day from 3 January 2022, with the counts at anchor given. */
async function fileOf(atAnchor: readonly number[]): Promise<string> {
  const rows = atAnchor.map((count, i) => {
    const date = new Date(START + i * 86_400_000);
    return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/2022,${count},20`;
  });
  const path = join(folder, `${atAnchor.length}.csv`);
  await writeFile(path, [HEADER, ...rows, ''].join('\n'));
  return path;
}

const around = (level: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => level + (i % 3) - 1);

it('reports a queue that clears once, as a fall, some days after it began to clear', async () => {
  const { alerts, reportedOn, atAnchor } = await studyQueueClearing(
    await fileOf([...around(10, 20), ...around(1, 20)]),
  );
  expect(atAnchor).toHaveLength(40);
  expect(alerts).toMatchObject([{ type: 'change_point', metric: 'at_anchor' }]);
  expect(alerts[0]?.changeFraction).toBeCloseTo(-0.9, 1);
  const [, month, day] = /^(\d+)\/(\d+)\/2022$/.exec(reportedOn[0] ?? '') ?? [];
  const daysLater = (Date.UTC(2022, Number(month) - 1, Number(day)) - START) / 86_400_000 - 20;
  expect(daysLater).toBeGreaterThan(0);
  expect(daysLater).toBeLessThanOrEqual(14);
});

it('reports nothing about a queue that stays', async () => {
  expect((await studyQueueClearing(await fileOf(around(6, 41)))).alerts).toEqual([]);
});

it('names what is wrong with a file in another layout', async () => {
  const path = join(folder, 'other.csv');
  await writeFile(path, 'Date,Vessels\n1/3/2022,4\n');
  await expect(studyQueueClearing(path)).rejects.toThrow('POLA Vessels at Anchor');
});
