/** The state of a port in one sentence, from served figures alone. */
import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays, DAY_MS } from '../../core/reference/time.ts';
import { type UsualWait, usualWait, type WaitHistory } from '../chart/wait-spread.ts';
import {
  countText,
  dayUpTo,
  hoursText,
  isEstimate,
  longDayText,
  sentence,
  stoppedText,
  TOO_FEW,
} from '../view/text.ts';

interface ObservedPort extends Pick<PortRecord, 'wait_basis' | 'stopped_since' | 'first_day'> {
  readonly as_of: string;
  readonly avg_wait_hours: number;
  readonly at_anchor: number;
}

/** What its sentence compares the figures with. */
interface Compared {
  readonly today: string;
  /** Undefined while they load, and for a key whose plan does not have them. */
  readonly waits: WaitHistory | undefined;
  /** Undefined while it loads. */
  readonly change: Pick<PortChange, 'at_anchor' | 'at_anchor_change'> | undefined;
}

const WEEK_DAYS = 7;
const MONTH_DAYS = 28;
/** The `days` that end with `day`: `this week` while it is today or yesterday; from the first day that is observed at a young port. */
function periodText(firstDay: string | null, today: string, day: string, days: number): string {
  const isRecent = Date.parse(today) - Date.parse(day) <= DAY_MS;
  const isYoung = firstDay !== null && Date.parse(firstDay) > Date.parse(day) - (days - 1) * DAY_MS;
  const upTo = isRecent ? '' : ` up to ${longDayText(day)}`;
  if (isYoung) return `since observation began on ${longDayText(firstDay)}${upTo && `,${upTo}`}`;
  if (isRecent) return days === WEEK_DAYS ? 'this week' : `in the last ${days} days`;
  return `in the ${days === WEEK_DAYS ? 'week' : `${days} days`}${upTo}`;
}

function waitClause({ as_of, avg_wait_hours: hours, first_day }: ObservedPort, compared: Compared): string {
  const day = dayUpTo(as_of);
  const days = compared.waits?.spreads.get(day)?.days ?? WEEK_DAYS;
  const period = periodText(first_day, compared.today, day, days);
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

const anchorClause = (count: number): string =>
  count < 2 ? `${count === 0 ? 'none' : 'one'} lies at anchor` : `${count} lie at anchor`;

/** The average wait, where enough vessels have berthed, the wait that is usual here, and how many lie at anchor now and a week ago. */
function waitSentence(port: ObservedPort, compared: Compared): string {
  const { wait_basis, at_anchor: count } = port;
  const { waits, change } = compared;
  const day = dayUpTo(port.as_of);
  if (wait_basis === null)
    return `No vessel has berthed here and none has waited for a berth in the ${MONTH_DAYS} days up to ${longDayText(day)}.`;
  // A change that belongs to another count is none of this one.
  const moved = change?.at_anchor === count ? change.at_anchor_change : null;
  const changed = (mark: string): string =>
    moved === null ? '' : `${mark} ${changeText(count, count - moved)}`;
  if (isEstimate(wait_basis)) return `${count === 0 ? 'None' : count} waiting, ${TOO_FEW}${changed(';')}.`;
  const usual = waits && usualWait(waits.spreads, day);
  return `${waitClause(port, compared)}${usualClause(usual)}; ${anchorClause(count)}${changed(',')}.`;
}

export function portSentence(port: ObservedPort, compared: Compared): string {
  const { stopped_since: since } = port;
  const stop = since === null ? '' : `${sentence(stoppedText(since))} `;
  return `${stop}${waitSentence(port, compared)}`;
}

/** The state of a port as it was known at the end of a UTC day; `then` is undefined where nothing was. */
export function daySentence(then: PortRecord | undefined, day: string): string {
  const date = longDayText(day);
  if (then === undefined || then.as_of === null) return `No figures of this port at the end of ${date}.`;
  const { as_of, avg_wait_hours, at_anchor } = then;
  const observed = { ...then, as_of, avg_wait_hours: avg_wait_hours ?? 0, at_anchor: at_anchor ?? 0 };
  // The words for a day that is over.
  const today = addDays(day, WEEK_DAYS);
  const known = portSentence(observed, { today, waits: undefined, change: undefined });
  return `As known at the end of ${date}: ${known}`;
}
