/** Import values into vintages and indices: a value is kept each time it is published otherwise than before. */
import type { TradeReport, TradeValue } from '../calls/observation.ts';
import { importMomentum } from '../metrics/import-momentum.ts';
import type { HsCode } from '../reference/hs-code.ts';
import type { Month } from '../reference/time.ts';
import type { ImportIndexStore } from '../store/import-index.ts';
import { type ImportValueStore, latestValues } from '../store/import-values.ts';
import { inParallel } from './parallel.ts';

export interface TradeStores {
  readonly importValues: ImportValueStore;
  readonly importIndex: ImportIndexStore;
}

/** Codes that are worked on at the same time. */
const PARALLEL_CODES = 8;

/**
 * Applies one report; returns how many codes had a new or revised value. Applying it again changes nothing. `keep`
 * comes before each write and throws when it is no longer this pass's to make.
 */
export async function applyTradeReport(
  stores: TradeStores,
  report: TradeReport,
  keep: () => Promise<void>,
): Promise<number> {
  const byCode = new Map<HsCode, TradeValue[]>();
  for (const value of report.values) {
    const values = byCode.get(value.code);
    if (values === undefined) byCode.set(value.code, [value]);
    else values.push(value);
  }
  let changed = 0;
  await inParallel([...byCode], PARALLEL_CODES, async ([code, values]) => {
    if (await applySeries(stores, code, values, report, keep)) changed += 1;
  });
  return changed;
}

async function applySeries(
  { importValues, importIndex }: TradeStores,
  code: HsCode,
  published: readonly TradeValue[],
  { measure, observedAt: fetchedAt }: TradeReport,
  keep: () => Promise<void>,
): Promise<boolean> {
  const known = await importValues.vintages(code, measure);
  const values: Map<Month, number> = latestValues(known);
  // An older publication that comes late must not undo what a newer one has said.
  const revised = known.some((vintage) => vintage.fetchedAt > fetchedAt)
    ? []
    : published.filter(({ month, value }) => values.get(month) !== value);
  if (revised.length > 0) {
    const changes = Object.fromEntries(revised.map(({ month, value }) => [month, value]));
    await keep();
    await importValues.add(code, measure, { fetchedAt, values: changes });
    for (const { month, value } of revised) values.set(month, value);
  }
  // Compared with what is stored, not with what changed, so that a pass that died in between is made good.
  await importIndex.putIfChanged(code, { measure, points: importMomentum(values) }, keep);
  return revised.length > 0;
}
