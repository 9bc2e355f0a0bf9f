/** Import values of one series: a row for each fetch that changed something (a vintage), and the index derived from them. */
import type { TradeValue } from '../calls/observation.ts';
import { importMomentum } from '../metrics/import-momentum.ts';
import type { HsCode } from '../reference/hs-code.ts';
import { type Day, dayOf, type Instant, type Month } from '../reference/time.ts';
import { latestValues } from '../store/import-values.ts';
import type { BeforeWrite, ImportStores } from './dependencies.ts';
import type { AppliedFetch } from './port-knowledge.ts';

/** The values that one fetch published for one HS code. */
export interface PublishedValues {
  readonly code: HsCode;
  readonly measure: string;
  readonly fetchedAt: Instant;
  readonly values: readonly TradeValue[];
}

/** Stores new and revised values and recomputes the index; true if there were any. Repeating it changes nothing. */
export async function applyImportValues(
  { importValues, importIndex }: ImportStores,
  { code, measure, fetchedAt, values: published }: PublishedValues,
  fetch: AppliedFetch & { readonly today: Day },
  beforeWrite: BeforeWrite,
): Promise<boolean> {
  const vintages = await importValues.vintages(code, measure);
  const values: Map<Month, number> = latestValues(vintages);
  // An older publication that arrives late must not overwrite a newer one.
  const isLate = vintages.some((vintage) => vintage.fetchedAt > fetchedAt);
  const revised = isLate ? [] : published.filter(({ month, value }) => values.get(month) !== value);
  if (revised.length > 0) {
    const changes = Object.fromEntries(revised.map(({ month, value }) => [month, value]));
    await beforeWrite();
    await importValues.add(code, measure, { fetchedAt, values: changes });
    for (const { month, value } of revised) values.set(month, value);
  }
  // Compared with the stored index rather than with what changed, which repairs a pass that stopped between the two.
  await importIndex.putIfChanged(
    code,
    { measure, points: importMomentum(values) },
    { day: dayOf(fetch.fetchedAt), today: fetch.today, backfilled: fetch.backfilled },
    beforeWrite,
  );
  return revised.length > 0;
}
