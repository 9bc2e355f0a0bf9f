/** The rows of the heat map: ports by days, on one calendar. */
import type { PortChange } from '../../core/contracts/changes.ts';

const DAYS = 30;
const DAY_MS = 86_400_000;

export interface HeatRow {
  readonly port: string;
  readonly name: string;
  /** Newest score; null where nothing has been observed. */
  readonly score: number | null;
  /** One for each of the days of the heat map. */
  readonly scores: readonly (number | null)[];
}

export interface HeatRows {
  /** UTC days, oldest first; empty where no port has been observed. */
  readonly days: readonly string[];
  /** Worst first. */
  readonly rows: readonly HeatRow[];
}

const dayAt = (day: string, offset: number): string =>
  new Date(Date.parse(day) + offset * DAY_MS).toISOString().slice(0, 10);

/** The thirty days up to the newest of any port. Each series ends with the day of its own port. */
export function heatRows(changes: readonly PortChange[]): HeatRows {
  const newest = changes.reduce((latest, { as_of }) => {
    const day = as_of?.slice(0, 10) ?? '';
    return day > latest ? day : latest;
  }, '');
  if (newest === '') return { days: [], rows: [] };
  const days = Array.from({ length: DAYS }, (_, i) => dayAt(newest, i + 1 - DAYS));
  const rows = changes
    .map(({ port, name, as_of, congestion_score: score, scores }): HeatRow => {
      const last = (as_of ?? newest).slice(0, 10);
      const byDay = new Map(scores.map((value, i) => [dayAt(last, i + 1 - scores.length), value]));
      return { port, name, score, scores: days.map((day) => byDay.get(day) ?? null) };
    })
    .filter(({ scores }) => scores.some((value) => value !== null))
    .sort((a, b) => (b.score ?? -1) - (a.score ?? -1) || a.name.localeCompare(b.name));
  return { days, rows };
}
