/** The state of a port in one sentence, from served figures alone. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { type UsualWait, usualWait } from '../chart/usual-wait.ts';
import type { WaitHistory } from '../chart/wait-spread.ts';
import { isEstimate, waitingText } from '../view/average-wait.ts';
import { countText, hoursText, longDayText, stoppedText } from '../view/text.ts';

export interface SentenceFigures {
  readonly snapshot: Pick<Snapshot, 'as_of' | 'avg_wait_hours' | 'vessels'>;
  readonly basis: PortRecord['wait_basis'];
  readonly stoppedSince: PortRecord['stopped_since'];
  /** First UTC day that the observations cover. */
  readonly firstDay: PortRecord['first_day'];
  /** The UTC day by the service's clock. */
  readonly today: string;
  /** Undefined while they load, and for a key whose plan does not have them. */
  readonly waits: WaitHistory | undefined;
  /** Undefined while it loads. */
  readonly change: Pick<PortChange, 'at_anchor' | 'at_anchor_change'> | undefined;
}

const WEEK_DAYS = 7;
const MONTH_DAYS = 28;
/** The `days` that end with `day`: `this week` while it is today or yesterday; from the first day that is observed at a young port. */
function periodText({ today, firstDay }: SentenceFigures, day: string, days: number): string {
  const isRecent = Date.parse(today) - Date.parse(day) <= DAY_MS;
  const isYoung = firstDay !== null && Date.parse(firstDay) > Date.parse(day) - (days - 1) * DAY_MS;
  const upTo = isRecent ? '' : ` up to ${longDayText.format(Date.parse(day))}`;
  if (isYoung)
    return `since observation began on ${longDayText.format(Date.parse(firstDay))}${upTo && `,${upTo}`}`;
  if (isRecent) return days === WEEK_DAYS ? 'this week' : `in the last ${days} days`;
  return `in the ${days === WEEK_DAYS ? 'week' : `${days} days`}${upTo}`;
}

function waitClause(figures: SentenceFigures, day: string): string {
  const { snapshot, waits } = figures;
  const hours = snapshot.avg_wait_hours;
  const period = periodText(figures, day, waits?.spreads.get(day)?.days ?? WEEK_DAYS);
  return hours === 0
    ? `Vessels went to the berth without waiting ${period}`
    : `Vessels waited ${hoursText(hours)} on average ${period}`;
}

function usualClause(usual: UsualWait | undefined): string {
  if (usual === undefined) return '';
  const what = usual.hours === 0 ? 'no wait' : hoursText(usual.hours);
  return usual.month === undefined
    ? `; ${what} was usual in the three months before`
    : `; ${what} is usual here in ${usual.month.split(' ')[0]}`;
}

function changeText(now: number, before: number): string {
  if (now === before) return `as ${now === 0 ? 'a' : 'many as a'} week ago`;
  return `${countText(Math.abs(now - before))} ${now > before ? 'more' : 'fewer'} than a week ago`;
}

/** How many lie at anchor, and the change within a week where it belongs to that count. */
function anchorClauses({
  snapshot,
  change,
  basis,
}: SentenceFigures): [who: string, change: string | undefined] {
  const count = snapshot.vessels.at_anchor;
  const moved = change?.at_anchor === count ? change.at_anchor_change : null;
  const changed = moved === null ? undefined : changeText(count, count - moved);
  if (isEstimate(basis)) return [waitingText(count), changed];
  return [count < 2 ? `${count === 0 ? 'none' : 'one'} lies at anchor` : `${count} lie at anchor`, changed];
}

/**
 * The average wait, the wait that is usual here (not without wait days), and how many vessels lie at anchor now and a week ago;
 * without an average where too few vessels have berthed.
 */
function waitSentence(figures: SentenceFigures): string {
  const { snapshot, basis, waits } = figures;
  const day = snapshot.as_of.slice(0, 10);
  if (basis === null)
    return `No vessel has berthed here and none has waited for a berth in the ${MONTH_DAYS} days up to ${longDayText.format(Date.parse(day))}.`;
  const [anchored, change] = anchorClauses(figures);
  if (isEstimate(basis)) return `${anchored}${change === undefined ? '' : `; ${change}`}.`;
  const usual = waits && usualWait(waits.spreads, day);
  const changed = change === undefined ? '' : `, ${change}`;
  return `${waitClause(figures, day)}${usualClause(usual)}; ${anchored}${changed}.`;
}

/** That the port is stopped, where it is, and its waits. */
export function portSentence(figures: SentenceFigures): string {
  const { stoppedSince } = figures;
  const stop = stoppedSince === null ? '' : `S${stoppedText(stoppedSince).slice(1)}. `;
  return `${stop}${waitSentence(figures)}`;
}

/** The state of a port as it was known at the end of a UTC day; `then` is undefined where nothing was. */
export function daySentence(then: PortRecord | undefined, day: string): string {
  const date = longDayText.format(Date.parse(day));
  if (then === undefined || then.as_of === null) return `No figures of this port at the end of ${date}.`;
  const { as_of, avg_wait_hours, at_anchor, in_port, wait_basis, stopped_since, first_day } = then;
  const vessels = { at_anchor: at_anchor ?? 0, in_port: in_port ?? 0, arrivals_24h: 0, departures_24h: 0 };
  const known = portSentence({
    snapshot: { as_of, avg_wait_hours: avg_wait_hours ?? 0, vessels },
    basis: wait_basis,
    stoppedSince: stopped_since,
    firstDay: first_day,
    // The words for a day that is over.
    today: addDays(day, WEEK_DAYS),
    waits: undefined,
    change: undefined,
  });
  return `As known at the end of ${date}: ${known}`;
}
