/** The losses of vessels by cyclones at US ports that the daily rule finds, and its alerts without a cyclone. */
import { quantile } from '../../../core/reference/statistics.ts';
import type { Day } from '../../../core/reference/time.ts';
import { type JudgedDay, judgeDay, USUAL_DAYS, type UsualDays } from './daily-rule.ts';
import type { CountedPort, CyportTables, Passage } from './tables.ts';

/** A low day opens an alert if none of this many days before was low. */
const CALM_DAYS = 7;
/** A cyclone is near from this many days before it arrives until as many after it has left and the port has recovered. */
const NEAR_DAYS = 7;
/** An alert belongs to a loss from this many days before its days until as many after; its days are its own and those of the passage. */
const LOSS_MARGIN = 1;

/** Days by their index in the tables, both inclusive. */
interface Span {
  readonly from: number;
  readonly to: number;
}

const isWithin = (day: number, { from, to }: Span): boolean => from <= day && day <= to;

/** A loss of a port. Cyclones in close succession share one loss, which the authors state for each. */
export interface Loss {
  readonly name: string;
  readonly day: Day;
  /** Relative: 1 where no vessel was left. */
  readonly size: number;
  readonly lossOn: number;
  /** The days on which an alert belongs to it. */
  readonly span: Span;
}

/** A port in a span of years: its days as the rule sees them, and its cyclones. */
export interface StudiedPort {
  readonly port: string;
  /** Median count of the days judged. */
  readonly vessels: number;
  /** Judged days of the years, by index. */
  readonly judged: ReadonlyMap<number, JudgedDay>;
  readonly losses: readonly Loss[];
  /** When a cyclone is near. */
  readonly near: readonly Span[];
}

export interface Years {
  readonly from: Day;
  readonly to: Day;
}

function lossesOf(passages: readonly Passage[], indexOf: (day: Day) => number): Loss[] {
  const byDay = new Map<Day, Loss>();
  for (const { name, from, to, loss, lossOn } of passages) {
    if (lossOn === undefined || loss === 0) continue;
    const at = indexOf(lossOn);
    const before = byDay.get(lossOn);
    byDay.set(lossOn, {
      name,
      day: lossOn,
      size: Math.max(loss, before?.size ?? 0),
      lossOn: at,
      span: {
        from: Math.min(at - LOSS_MARGIN, indexOf(from) - LOSS_MARGIN, before?.span.from ?? at),
        to: Math.max(at + LOSS_MARGIN, indexOf(to) + LOSS_MARGIN, before?.span.to ?? at),
      },
    });
  }
  return [...byDay.values()];
}

function studyPort(
  { port, counts }: CountedPort,
  { days, passages }: CyportTables,
  years: Years,
  usualDays: UsualDays,
): StudiedPort {
  const index = new Map(days.map((day, i) => [day, i] as const));
  const indexOf = (day: Day): number => index.get(day) ?? (day < (days[0] ?? '') ? -1 : days.length);
  const own = passages.filter((passage) => passage.port === port);
  const judged = new Map<number, JudgedDay>();
  for (const [i, day] of days.entries()) {
    if (day < years.from || day > years.to) continue;
    const verdict = judgeDay(counts, i, usualDays);
    if (verdict !== undefined) judged.set(i, verdict);
  }
  const known = [...judged.keys()].map((i) => counts[i] ?? 0);
  return {
    port,
    vessels: known.length === 0 ? 0 : quantile(Float64Array.from(known).sort(), 0.5),
    judged,
    losses: lossesOf(own, indexOf).filter(({ lossOn }) => judged.has(lossOn)),
    near: own.map(({ from, to, recoveredOn = to }) => ({
      from: indexOf(from) - NEAR_DAYS,
      to: indexOf(recoveredOn > to ? recoveredOn : to) + NEAR_DAYS,
    })),
  };
}

/** The ports of the tables in `years`. Days of the years before are history only. */
export const studyPorts = (tables: CyportTables, years: Years, usualDays = USUAL_DAYS): StudiedPort[] =>
  tables.ports.map((port) => studyPort(port, tables, years, usualDays));

/** The rare days with at most `share` of the usual count, by index. */
const lowDays = ({ judged }: StudiedPort, share: number): number[] =>
  [...judged].flatMap(([i, day]) => (day.isRare && day.share <= share ? [i] : []));

interface FoundLoss {
  readonly loss: Loss;
  /** Days from the day of the loss to that of the first alert; undefined where no alert belongs to it. */
  readonly delayDays: number | undefined;
}

export interface Alerts {
  readonly losses: readonly FoundLoss[];
  /** Judged days without a cyclone near, and the alerts that open on them. */
  readonly calmDays: number;
  readonly falseAlerts: number;
  /** Alerts that open near a cyclone, and belong to no loss. */
  readonly nearAlerts: number;
}

/** The alerts of the rule at one port at `share` of the usual count. */
export function alertsOf(port: StudiedPort, share: number): Alerts {
  const low = lowDays(port, share);
  const opened = low.filter((day, i) => day - (low[i - 1] ?? Number.NEGATIVE_INFINITY) > CALM_DAYS);
  const isNear = (day: number): boolean => port.near.some((span) => isWithin(day, span));
  const near = opened.filter(isNear);
  return {
    losses: port.losses.map((loss) => {
      const first = low.find((day) => isWithin(day, loss.span));
      return { loss, delayDays: first === undefined ? undefined : first - loss.lossOn };
    }),
    calmDays: [...port.judged.keys()].filter((day) => !isNear(day)).length,
    falseAlerts: opened.length - near.length,
    nearAlerts: near.filter((day) => !port.losses.some(({ span }) => isWithin(day, span))).length,
  };
}

/** The alerts of several ports together. */
export const alertsOfAll = (ports: readonly StudiedPort[], share: number): Alerts =>
  ports
    .map((port) => alertsOf(port, share))
    .reduce(
      (sum, found) => ({
        losses: [...sum.losses, ...found.losses],
        calmDays: sum.calmDays + found.calmDays,
        falseAlerts: sum.falseAlerts + found.falseAlerts,
        nearAlerts: sum.nearAlerts + found.nearAlerts,
      }),
      { losses: [], calmDays: 0, falseAlerts: 0, nearAlerts: 0 },
    );

/** The day of a loss with the lowest share of the usual count. */
export const lowestDay = ({ judged }: StudiedPort, { span }: Loss): JudgedDay | undefined =>
  [...judged]
    .filter(([day]) => isWithin(day, span))
    .map(([, day]) => day)
    .sort((a, b) => a.share - b.share)[0];
