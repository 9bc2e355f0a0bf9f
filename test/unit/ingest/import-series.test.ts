/** Import values of one series: what is stored of a publication, and what repairs an interrupted one. */
import { expect, it } from '@jest/globals';
import { applyImportValues } from '../../../core/ingest/observation-writer.ts';
import { createImportValueStore, IMPORTS } from '../../../core/store/imports.ts';
import { createBeginnings, createSeriesStore } from '../../../core/store/series.ts';
import { memoryTables } from '../../builders/memory-table.ts';

const T0 = Date.UTC(2026, 5, 1);
const months = Array.from({ length: 15 }, (_, n) => new Date(Date.UTC(2025, n, 1)).toISOString().slice(0, 7));
const published = (fetchedAt: number, value: number) => ({
  code: '85',
  measure: 'GEN_VAL_MO',
  fetchedAt,
  values: months.map((month) => ({ code: '85', month, value })),
});

const fetchOf = (fetchedAt: number) => ({
  fetchedAt,
  backfilled: false,
  nowAt: fetchedAt,
  replays: false,
});

function start() {
  const tables = memoryTables(['importValues', 'importIndex', 'vintages']);
  const stores = {
    importValues: createImportValueStore(tables.importValues),
    importIndex: createSeriesStore(IMPORTS, tables.importIndex, tables.vintages),
    importBeginnings: createBeginnings(tables.vintages, 'imports'),
  };
  let checks = 0;
  const apply = (fetchedAt: number, value: number) =>
    applyImportValues(stores, published(fetchedAt, value), fetchOf(fetchedAt), async () => {
      checks += 1;
    });
  return { stores, tables, apply, checks: () => checks };
}

it('checks the lease before each of its three writes, and not when nothing changes', async () => {
  const { apply, checks } = start();
  expect(await apply(T0, 100)).toBe(true);
  expect(checks()).toBe(3);
  expect(await apply(T0 + 1000, 100)).toBe(false);
  expect(checks()).toBe(3);
});

it('an older publication that arrives late changes nothing', async () => {
  const { apply, stores } = start();
  await apply(T0, 5000);
  expect(await apply(T0 - 1000, 9999)).toBe(false);
  expect(await stores.importValues.vintages('85', 'GEN_VAL_MO')).toHaveLength(1);
  const [stored] = await stores.importIndex.between('85');
  expect(new Set(Object.values(stored?.index ?? {}))).toEqual(new Set([100]));
});

it('an index that an interrupted pass did not write is written by the next', async () => {
  const { apply, stores, tables } = start();
  await apply(T0, 100);
  const index = await stores.importIndex.between('85');
  await tables.importIndex.delete({ code: '85' });
  expect(await apply(T0, 100)).toBe(false);
  expect(await stores.importIndex.between('85')).toEqual(index);
});

it('a lost lease stops before anything is written', async () => {
  const { stores, tables } = start();
  const lost = async () => {
    throw new Error('lost');
  };
  await expect(applyImportValues(stores, published(T0, 100), fetchOf(T0), lost)).rejects.toThrow('lost');
  expect([...(await tables.importValues.scan()), ...(await tables.importIndex.scan())]).toEqual([]);
});

it('keeps every vintage, and a revision recomputes what it touches', async () => {
  const { apply, stores } = start();
  await apply(T0, 1_000_000);
  const indexed = Object.fromEntries(months.slice(13).map((month) => [month, 100]));
  expect((await stores.importIndex.between('85'))[0]?.index).toEqual(indexed);
  const [revised = ''] = months.slice(-1);
  const revision = {
    ...published(T0 + 1000, 4_000_000),
    values: [{ code: '85', month: revised, value: 4e6 }],
  };
  expect(await applyImportValues(stores, revision, fetchOf(T0 + 1000), async () => {})).toBe(true);
  expect((await stores.importIndex.between('85'))[0]?.index).toEqual({ ...indexed, [revised]: 200 });
  const vintages = await stores.importValues.vintages('85', 'GEN_VAL_MO');
  expect(vintages.map(({ values }) => Object.keys(values).length)).toEqual([15, 1]);
});

it('of two measures are never one series', async () => {
  const { apply, stores } = start();
  await apply(T0, 5);
  const other = { ...published(T0 + 1000, 9), measure: 'CON_VAL_MO' };
  await applyImportValues(stores, other, fetchOf(T0 + 1000), async () => {});
  expect(await stores.importValues.vintages('85', 'CON_VAL_MO')).toHaveLength(1);
  expect((await stores.importIndex.between('85'))[0]?.measure).toBe('GEN_VAL_MO');
});
