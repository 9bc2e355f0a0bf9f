/** How far figures of a day still change as it ages, counted in the tables of vintages while a release writes them. */
import {
  FINAL_SHARE,
  type FinalAge,
  REVISED_METRICS,
  REVISION_AGES,
  type RevisedMetric,
  type Revision,
} from '../contracts/record.ts';
import { groupBy } from '../reference/grouping.ts';
import { FRACTION_DECIMALS, round } from '../reference/rounding.ts';
import { DAY_MS, type Day, startOfDay } from '../reference/time.ts';
import type { PortRow } from '../store/ports.ts';
import type { ReleaseRow } from './columns.ts';
import { lastDayOf } from './origins.ts';
import type { PortTables } from './port-tables.ts';

/** The table and column of each figure. The waits are those of all vessels together. */
const PLACES: Readonly<Record<RevisedMetric, readonly [table: string, column: string]>> = {
  congestion_score: ['vintages_trend', 'congestion_score'],
  avg_wait_hours: ['vintages_trend', 'avg_wait_hours'],
  vessels: ['vintages_trend', 'vessels'],
  mean_hours: ['vintages_waits', 'mean_hours'],
  berthed: ['vintages_waits', 'berthed'],
};

const MAX_AGE = Math.max(...REVISION_AGES);
/** Fewer days cannot show that one in a hundred changes. */
const FINAL_MIN_DAYS = 100;

interface Count {
  days: number;
  changed: number;
  /** Days with a value both then and in the release, and the sum of the absolute differences. */
  compared: number;
  difference: number;
}

const figureIn = (row: ReleaseRow | undefined, column: string): number | undefined => {
  const value = row?.[column];
  return typeof value === 'number' ? value : undefined;
};

/** The counts of one port, by figure and age in days. */
class PortRevisions {
  readonly #counts: Readonly<Record<RevisedMetric, Count[]>>;

  constructor() {
    const none = (): Count[] =>
      Array.from({ length: MAX_AGE + 1 }, () => ({ days: 0, changed: 0, compared: 0, difference: 0 }));
    this.#counts = Object.fromEntries(REVISED_METRICS.map((metric) => [metric, none()])) as Record<
      RevisedMetric,
      Count[]
    >;
  }

  /** `runs`: every row that was served for the day. An age is counted where the day reached it by `lastDay` and had a value. */
  add(table: string, day: Day, runs: readonly ReleaseRow[], lastDay: Day): void {
    const startAt = startOfDay(day);
    const ageOn = (known: unknown): number => (startOfDay(String(known)) - startAt) / DAY_MS;
    const spans = runs.map((row) => ({
      row,
      from: ageOn(row.known_from),
      to: row.known_to == null ? Number.POSITIVE_INFINITY : ageOn(row.known_to),
    }));
    const released = runs.find(({ known_to }) => known_to == null);
    const metrics = REVISED_METRICS.filter((metric) => PLACES[metric][0] === table);
    const oldest = Math.min(MAX_AGE, ageOn(lastDay));
    for (let age = 0; age <= oldest; age += 1) {
      const served = spans.find(({ from, to }) => from <= age && age < to)?.row;
      for (const metric of metrics) {
        const [, column] = PLACES[metric];
        const [value, final] = [figureIn(served, column), figureIn(released, column)];
        if (value === undefined) continue;
        const count = this.#counts[metric][age] as Count;
        count.days += 1;
        if (value !== final) count.changed += 1;
        if (final === undefined) continue;
        count.compared += 1;
        count.difference += Math.abs(value - final);
      }
    }
  }

  /** The ages of the record, without those that no day has reached. */
  revisions(): Revision[] {
    return REVISED_METRICS.flatMap((metric) =>
      REVISION_AGES.flatMap((age): Revision[] => {
        const { days, changed, compared, difference } = this.#counts[metric][age] as Count;
        if (days === 0) return [];
        return [
          {
            metric,
            age,
            days,
            changed: round(changed / days, FRACTION_DECIMALS),
            difference: compared === 0 ? null : round(difference / compared, FRACTION_DECIMALS),
          },
        ];
      }),
    );
  }

  /**
   * The first age from which on at most one daily wait in a hundred still changes; undefined with too few days. A port whose days are
   * first known later has none at the youngest ages.
   */
  finalAge(): Omit<FinalAge, 'port'> | undefined {
    const counts = this.#counts.mean_hours;
    const first = counts.findIndex(({ days }) => days >= FINAL_MIN_DAYS);
    if (first === -1 || (counts[MAX_AGE] as Count).days < FINAL_MIN_DAYS) return undefined;
    const lastOpen = counts.findLastIndex(({ days, changed }) => changed > days * FINAL_SHARE);
    const age = Math.max(first, lastOpen + 1);
    return { age: age > MAX_AGE ? null : age, days: (counts[Math.min(age, MAX_AGE)] as Count).days };
  }
}

/** Counts the revisions of each port while its tables are read. */
export class Revisions {
  readonly #byPort = new Map<string, PortRevisions>();

  /** `today`: day of the release. */
  constructor(private readonly today: Day) {}

  of(port: string): PortRevisions {
    const found = this.#byPort.get(port) ?? new PortRevisions();
    this.#byPort.set(port, found);
    return found;
  }

  add(port: Pick<PortRow, 'port' | 'lastDay'>, table: string, rows: readonly ReleaseRow[]): void {
    const ofAllVessels = rows.filter((vintage) => (vintage.class ?? 'all') === 'all');
    for (const [day, runs] of groupBy(ofAllVessels, ({ date }) => String(date)))
      this.of(port.port).add(table, day, runs, lastDayOf(port, this.today));
  }

  /** The same tables; the vintages that are read are counted. */
  counting(group: PortTables): PortTables {
    return {
      ...group,
      read: async (port, span) => {
        const found = await group.read(port, span);
        for (const [at, { name }] of group.tables.entries())
          if (name.startsWith('vintages_')) this.add(port.row, name, found[at] ?? []);
        return found;
      },
    };
  }
}
