/** Sets the waits that positions show at a port beside those of the authority's record, which is served, week by week. */

import { weekFigures } from '../positions/compared-waits.ts';
import { addDays } from '../reference/time.ts';
import type { SeriesReader } from '../store/series.ts';
import type { WaitComparison } from '../store/source-status.ts';
import { groupDays, type WaitDayPart } from '../store/wait-days.ts';
import type { ComparedWeek } from '../upstream/source.ts';

/** One comparison for each port at which both show a delayed call in the week. */
export async function compareWaits(
  weeks: readonly ComparedWeek[],
  waitDays: Pick<SeriesReader<WaitDayPart>, 'current'>,
): Promise<WaitComparison[]> {
  const compared = await Promise.all(
    weeks.map(async ({ port, week, ...positions }): Promise<WaitComparison[]> => {
      const days = groupDays(await waitDays.current(port, { from: week, to: addDays(week, 6) }), 'all');
      const waits = days.flatMap((day) => day.waits);
      const berthed = days.reduce((sum, day) => sum + day.berthed, 0);
      const record = { ...weekFigures(waits), berthed };
      if (positions.medianHours === undefined || record.medianHours === undefined) return [];
      return [
        {
          port,
          week,
          positionsBerthed: positions.berthed,
          positionsDelayed: positions.delayed,
          positionsMedianHours: positions.medianHours,
          recordBerthed: record.berthed,
          recordDelayed: record.delayed,
          recordMedianHours: record.medianHours,
        },
      ];
    }),
  );
  return compared.flat();
}
