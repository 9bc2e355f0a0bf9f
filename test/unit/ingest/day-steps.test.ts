/** Whole days of positions, region by region: what is made again when a day's file is corrected, late or repeated. */
import { describe, expect, it } from '@jest/globals';
import { createDayFiles } from '../../../core/ingest/positions.ts';
import { DAY_MS, type Day, endOfDay, HOUR_MS, type Instant } from '../../../core/reference/time.ts';
import { ArchiveFailure, type RawArchive } from '../../../core/store/raw-archive.ts';
import type { DaySource, DaySteps, FetchedFiles } from '../../../core/upstream/source.ts';
import { altered, memorySteps } from '../../builders/memory-ingest.ts';
import { scriptedSource } from '../../builders/scripted-source.ts';

const [DAY1, DAY2, DAY3] = ['2026-01-01', '2026-01-02', '2026-01-03'] as const;
const at = (hour: number): Instant => Date.UTC(2026, 0, 10) + hour * HOUR_MS;
/** A millisecond for each second from the end of the newest day to the fetch. */
const stampOf = (end: Instant, hour: number): Instant => end + (at(hour) - end) / 1000;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const declared = {
  ...scriptedSource(),
  declaration: {
    ...scriptedSource().declaration,
    id: 'days',
    regions: { east: ['USNYC'], west: ['USLAX'] },
  },
} as const;

/** The source with one of its regions alone. */
const inRegion = (source: DaySource, region: 'east' | 'west'): DaySource => {
  const { declaration } = source;
  return {
    ...source,
    declaration: { ...declaration, regions: { [region]: declared.declaration.regions[region] } },
  };
};

/**
 * An archive of day files. A step appends the day's content to the state; `seen` has a line for each step, with the
 * state before it. A content in upper case is another file, and leads to the same state.
 */
function start() {
  const archive = memorySteps().calls;
  const kept = memorySteps().calls;
  const seen: string[] = [];
  const inputs: Parameters<DaySteps['step']>[0][] = [];
  const days: { -readonly [Name in keyof DaySteps]: DaySteps[Name] } = {
    dayOf: (files) => (files.has('day') ? textOf(files.get('day')) : undefined),
    step(input) {
      const { region, files, before } = input;
      const [day, content] = [textOf(files.get('day')), textOf(files.get('content'))];
      seen.push(`${region} ${day} ${content} after ${before === undefined ? 'nothing' : textOf(before)}`);
      inputs.push(input);
      const state = textOf(before) + content.toLowerCase();
      return {
        state: bytesOf(state),
        digest: `digest of ${state}`,
        calls: new Map([[`${region} ${day}`, bytesOf(content)]]),
      };
    },
  };
  const source: DaySource = { ...declared, days };
  const fileOf = (day: Day, content: string): FetchedFiles =>
    new Map([
      ['day', bytesOf(day)],
      ['content', bytesOf(content)],
    ]);
  const archived = (hour: number, day: Day, content: string) =>
    archive.write('days', at(hour), fileOf(day, content));
  return {
    archive,
    kept,
    source,
    seen,
    inputs,
    archived,
    /** Archives one fetch an hour for the first days, whose contents are a, b and c. */
    async firstDays(count: 2 | 3) {
      for (const [n, day] of [DAY1, DAY2, DAY3].slice(0, count).entries())
        await archived(n + 1, day, 'abc'.charAt(n));
    },
    /** The calls that the fetch of the hour gives, in one region or in all. */
    async read(hour: number, region: 'east' | 'west' | 'all' = 'east', keptIn: RawArchive = kept) {
      const files = await createDayFiles(archive, keptIn)(
        region === 'all' ? source : inRegion(source, region),
        at(hour),
      );
      const calls = [...(files ?? [])].filter(([name]) => name !== 'day' && name !== 'content');
      return files && Object.fromEntries(calls.map(([name, bytes]) => [name, textOf(bytes)]));
    },
    days,
  };
}

/** An archive that counts the keys that are listed from it. */
function counting(archive: RawArchive) {
  const counted = { keys: 0, written: [] as Instant[] };
  const of = altered(archive, {
    fetches: async (...range) => {
      const found = await archive.fetches(...range);
      counted.keys += found.length;
      return found;
    },
    write: async (id, fetchedAt, files) => {
      if (id.endsWith('.calls')) counted.written.push(fetchedAt);
      await archive.write(id, fetchedAt, files);
    },
  });
  return { counted, of };
}

describe('the keys that are listed', () => {
  /** Reads fetches one after another, each by a process of its own, as a function that is started for each does. */
  async function keysOf(fetches: number, withDay: (index: number) => boolean, hours: number) {
    const { archive, kept, source } = start();
    const [archived, keptCalls] = [counting(archive), counting(kept)];
    for (let index = 0; index < fetches; index += 1) {
      const fetchedAt = at(hours * index);
      const day = new Date(Date.UTC(2024, 0, 1 + index)).toISOString().slice(0, 10);
      const files = withDay(index)
        ? new Map([
            ['day', bytesOf(day)],
            ['content', bytesOf('a')],
          ])
        : new Map([['note', bytesOf('nothing new')]]);
      await archive.write('days', fetchedAt, files);
      await createDayFiles(archived.of, keptCalls.of)(inRegion(source, 'east'), fetchedAt);
    }
    return {
      keys: archived.counted.keys + keptCalls.counted.keys,
      written: keptCalls.counted.written.length,
      stored: (await kept.fetches('days.east.calls', undefined, at(hours * fetches + 1))).length,
    };
  }

  it.each([
    ['each fetch has a day', () => true, 1, 6],
    ['each of four fetches in an hour has a day', () => true, 1, 1 / 4],
    ['one fetch of four has a day', (index: number) => index % 4 === 0, 1 / 4, 6],
    ['the days come in one burst after weeks of nothing', (index: number) => index % 100 > 89, 1 / 10, 6],
  ])('grow with the fetches where %s', async (_what, withDay, share, hours) => {
    const [some, many] = [await keysOf(200, withDay, hours), await keysOf(400, withDay, hours)];
    expect(many.keys).toBeLessThan(2.2 * some.keys);
    expect(many.keys).toBeLessThan(30 * 400);
    // Calls are written for fetches that have a day, and for no other.
    expect(many.written).toBe(share * 400);
    expect(many.stored).toBe(share * 400);
  });
});

it('a fetch has its own files and the calls of its regions', async () => {
  const { archive, kept, source, archived, read } = start();
  await archived(1, DAY1, 'a');
  expect(await read(1, 'all')).toEqual({ [`east ${DAY1}`]: 'a', [`west ${DAY1}`]: 'a' });
  const files = await createDayFiles(archive, kept)(inRegion(source, 'west'), at(1));
  expect([...(files?.keys() ?? [])]).toEqual(['day', 'content', `west ${DAY1}`]);
});

it('a day begins with the state of the day before it, in each region by itself', async () => {
  const { seen, inputs, firstDays, read } = start();
  await firstDays(2);
  await read(1, 'all');
  expect(await read(2, 'all')).toEqual({ [`east ${DAY2}`]: 'b', [`west ${DAY2}`]: 'b' });
  expect(seen).toEqual([
    `east ${DAY1} a after nothing`,
    `west ${DAY1} a after nothing`,
    `east ${DAY2} b after a`,
    `west ${DAY2} b after a`,
  ]);
  expect(inputs.map(({ asOfAt, recordedAt, replaced }) => [asOfAt, recordedAt, replaced])).toEqual(
    [1, 1, 2, 2].map((hour) => {
      const end = endOfDay(hour === 1 ? DAY1 : DAY2);
      return [end, stampOf(end, hour), undefined];
    }),
  );
});

it('records of a fetch years after its day are stamped less than a day after the end of that day', async () => {
  const { inputs, archived, read } = start();
  await archived(1001 * 24, DAY1, 'a');
  await read(1001 * 24);
  expect(inputs.map(({ recordedAt }) => recordedAt)).toEqual([endOfDay(DAY1) + DAY_MS - 1]);
});

it('a fetch that is read again gives the same calls without another step', async () => {
  const { seen, firstDays, read } = start();
  await firstDays(2);
  const [first, second] = [await read(1), await read(2)];
  expect([await read(1), await read(2)]).toEqual([first, second]);
  expect(seen).toHaveLength(2);
});

it('earlier fetches that were never read are stepped over first, and later ones are not', async () => {
  const { seen, firstDays, read } = start();
  await firstDays(3);
  expect(await read(2)).toEqual({ [`east ${DAY2}`]: 'b' });
  expect(seen).toEqual([`east ${DAY1} a after nothing`, `east ${DAY2} b after a`]);
});

it('a corrected day is made again, and the days after it from their own files', async () => {
  const { seen, inputs, archived, firstDays, read } = start();
  await firstDays(3);
  await read(3);
  seen.length = 0;
  inputs.length = 0;
  await archived(4, DAY2, 'x');
  expect(await read(4)).toEqual({ [`east ${DAY2}`]: 'x', [`east ${DAY3}`]: 'c' });
  expect(seen).toEqual([`east ${DAY2} x after a`, `east ${DAY3} c after ax`]);
  // The records are newer than those of the newest day, and know the calls that they replace.
  expect(inputs.map(({ asOfAt, recordedAt }) => [asOfAt, recordedAt])).toEqual(
    [0, 0].map(() => [endOfDay(DAY3), stampOf(endOfDay(DAY3), 4)]),
  );
  expect(
    inputs.map(({ replaced }) => [...(replaced ?? [])].map(([name, bytes]) => [name, textOf(bytes)])),
  ).toEqual([[[`east ${DAY2}`, 'b']], [[`east ${DAY3}`, 'c']]]);
  seen.length = 0;
  await archived(5, DAY1, 'y');
  await read(5);
  expect(seen).toEqual([`east ${DAY1} y after nothing`, `east ${DAY2} x after y`, `east ${DAY3} c after yx`]);
});

it('a correction that leads to the same state leaves the days after it as they are', async () => {
  const { seen, archived, firstDays, read } = start();
  await firstDays(2);
  await archived(3, DAY1, 'A');
  await read(2);
  seen.length = 0;
  expect(await read(3)).toEqual({ [`east ${DAY1}`]: 'A' });
  expect(seen).toEqual([`east ${DAY1} A after nothing`]);
});

it('a file that comes again changes nothing, whatever the order of its parts', async () => {
  const { archive, seen, archived, read } = start();
  await archived(1, DAY1, 'a');
  const parts = [...((await archive.read('days', at(1))) ?? [])];
  await archive.write('days', at(2), new Map(parts.reverse()));
  await read(1);
  expect(await read(2)).toEqual({});
  expect(seen).toHaveLength(1);
});

it('a late day is made in its place, and the days after it again', async () => {
  const { seen, archived, read } = start();
  await archived(1, DAY2, 'b');
  await archived(2, DAY3, 'c');
  await archived(3, DAY1, 'a');
  await read(2);
  seen.length = 0;
  expect(await read(3)).toEqual({ [`east ${DAY1}`]: 'a', [`east ${DAY2}`]: 'b', [`east ${DAY3}`]: 'c' });
  expect(seen).toEqual([`east ${DAY1} a after nothing`, `east ${DAY2} b after a`, `east ${DAY3} c after ab`]);
});

it('a fetch without a usable file gives no calls', async () => {
  const { archive, seen, archived, read } = start();
  await archive.write('days', at(1), new Map([['note', bytesOf('no file yet')]]));
  await archived(2, DAY1, 'a');
  expect(await read(1)).toEqual({ note: 'no file yet' });
  expect(await read(2)).toEqual({ [`east ${DAY1}`]: 'a' });
  expect(seen).toHaveLength(1);
});

it('an incomplete fetch is undefined, and counts as one without a file for the fetches after it', async () => {
  const { archive, seen, firstDays, kept, source } = start();
  await firstDays(2);
  const incomplete = altered(archive, {
    read: async (id, fetchedAt) => (fetchedAt === at(1) ? undefined : archive.read(id, fetchedAt)),
  });
  const read = createDayFiles(incomplete, kept);
  expect(await read(inRegion(source, 'east'), at(1))).toBeUndefined();
  expect((await read(inRegion(source, 'east'), at(2)))?.has(`east ${DAY2}`)).toBe(true);
  expect(seen).toEqual([`east ${DAY2} b after nothing`]);
});

it('a step that died before its calls were kept gives the same calls when it is repeated', async () => {
  const { kept, seen, archived, firstDays, read } = start();
  await firstDays(2);
  await read(2);
  await archived(3, DAY1, 'x');
  let writes = 0;
  const dying = altered(kept, {
    write: async (...fetch) => {
      writes += 1;
      // The first write is the corrected day, the second the day after it.
      if (writes > 1) throw new Error('killed');
      await kept.write(...fetch);
    },
  });
  await expect(read(3, 'east', dying)).rejects.toThrow('killed');
  seen.length = 0;
  expect(await read(3)).toEqual({ [`east ${DAY1}`]: 'x', [`east ${DAY2}`]: 'b' });
  expect(seen).toEqual([`east ${DAY2} b after x`]);
});

it('a day whose step throws is left out, in its region alone, and the days after it are read without it', async () => {
  const { seen, firstDays, days, read } = start();
  const { step } = days;
  days.step = (input) => {
    if (input.region === 'east' && textOf(input.files.get('content')) === 'b')
      throw new RangeError('too many');
    return step(input);
  };
  await firstDays(3);
  const fault = JSON.stringify({ reason: 'parser-fault', detail: 'east: too many' });
  expect(await read(2, 'all')).toEqual({ 'step-fault-east.json': fault, [`west ${DAY2}`]: 'b' });
  expect(await read(3)).toEqual({ [`east ${DAY3}`]: 'c' });
  expect(seen.filter((line) => line.startsWith('east'))).toEqual([
    `east ${DAY1} a after nothing`,
    `east ${DAY3} c after a`,
  ]);
});

it('a correction is made up to the day whose step throws, and read to its end once the step is mended', async () => {
  const { archived, firstDays, days, read } = start();
  const { step } = days;
  await firstDays(3);
  await read(3);
  days.step = (input) => {
    if (textOf(input.before) === 'x') throw new RangeError('too many');
    return step(input);
  };
  await archived(4, DAY1, 'x');
  expect(Object.keys((await read(4)) ?? {})).toEqual([`east ${DAY1}`, 'step-fault-east.json']);
  days.step = step;
  await archived(5, DAY1, 'y');
  expect(await read(5)).toEqual({ [`east ${DAY1}`]: 'y', [`east ${DAY2}`]: 'b', [`east ${DAY3}`]: 'c' });
});

it('a fetch whose day cannot be read is a fault of its own', async () => {
  const { firstDays, days, read } = start();
  const { dayOf } = days;
  await firstDays(2);
  days.dayOf = (files) => {
    if (textOf(files.get('content')) === 'a') throw new TypeError('not a note');
    return dayOf(files);
  };
  expect(Object.keys((await read(1)) ?? {})).toEqual(['step-fault-east.json']);
  expect(await read(2)).toEqual({ [`east ${DAY2}`]: 'b' });
});

it('a day whose file the archive has lost cannot be made again', async () => {
  const { archive, archived, firstDays, kept, source, read } = start();
  await firstDays(2);
  await read(2);
  await archived(3, DAY1, 'x');
  const without = altered(archive, {
    read: async (id, fetchedAt) => (fetchedAt === at(2) ? undefined : archive.read(id, fetchedAt)),
  });
  const lost = createDayFiles(without, kept)(inRegion(source, 'east'), at(3));
  await expect(lost).rejects.toThrow(ArchiveFailure);
  await expect(lost).rejects.toThrow('the archive lacks the fetch of days of 2026-01-10T02:00:00Z');
});
