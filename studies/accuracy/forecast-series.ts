/** The day figures that forecasts are studied on: Kaohsiung's real nine months, and simulated ports whose queue builds and clears. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dailySeries } from '../../core/metrics/day-figures.ts';
import type { DayFigures } from '../../core/metrics/figures.ts';
import { DAY_MS, type Day, dayOf, daysBetween, startOfDay } from '../../core/reference/time.ts';
import { parquetRows } from '../../core/release/release-reader.ts';
import { metricsOf } from '../../core/release/rows.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import { truePortCall } from '../../test/worlds/ground-truth.ts';
import { portProfile } from '../../test/worlds/port-profile.ts';
import type { Scenario } from '../../test/worlds/scenario.ts';
import { simulatePort } from '../../test/worlds/simulate-port.ts';
import type { StudiedPort } from './disruption-study.ts';

const RECORDED = 'release=2025-10-04/table=days/year=2025/part-0.parquet';
const FIRST_SIMULATED_DAY: Day = '2024-01-01';

/** The stored days of Kaohsiung in the recorded release, oldest first. */
export async function recordedDays(release: string): Promise<DayFigures[]> {
  const days: DayFigures[] = [];
  for await (const rows of parquetRows(new Uint8Array(readFileSync(join(release, RECORDED)))))
    days.push(...rows.map(metricsOf));
  return days;
}

/** Every 21 to 87 days two to eight tenths of the berths work for one to seven days. */
function episodes({ port, profile }: StudiedPort, seed: number, days: number): Scenario {
  const random = randomStream(`forecast ${port} ${profile?.cargoPerDay ?? ''}`, seed);
  const { berths } = { ...portProfile(port), ...profile };
  const capacity: { fromDay: number; berths: number }[] = [];
  for (let fromDay = 20 + 40 * random(); fromDay < days; fromDay += 20 + 60 * random()) {
    capacity.push({ fromDay, berths: Math.round(berths * (0.2 + 0.6 * random())) });
    fromDay += 1 + 6 * random();
    capacity.push({ fromDay, berths });
  }
  return { ...(profile && { profile }), capacity };
}

/** The days of a simulated port whose queue builds up and clears. */
export function simulatedDays(port: StudiedPort, seed: number, days: number): DayFigures[] {
  const beganAt = startOfDay(FIRST_SIMULATED_DAY);
  const toAt = beganAt + days * DAY_MS;
  const truth = simulatePort(port.port, beganAt, toAt, seed, episodes(port, seed, days));
  return dailySeries({
    days: daysBetween(FIRST_SIMULATED_DAY, dayOf(toAt - 1)),
    calls: truth.map(truePortCall),
    coverage: [{ fromAt: beganAt, toAt }],
    asOfAt: toAt,
  });
}
