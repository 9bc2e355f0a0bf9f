/** A port's newest figures, and whether they are as new as its sources promise. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { Snapshot } from '../../core/contracts/snapshot.ts';
import { budgetOf, durationText, type ListedSource } from '../api/source-list.ts';
import { momentText } from '../view/date-text.ts';
import { element } from '../view/element.ts';
import { fieldName } from '../view/field-name.ts';
import { type ScoreLines, scoreClassOf } from '../view/score-class.ts';

export interface SnapshotContext {
  readonly port: PortRecord | undefined;
  readonly sources: readonly ListedSource[];
  readonly lines: ScoreLines;
  /** The service's clock, epoch milliseconds. */
  readonly now: number;
  /** The figures are recorded, so that they have no age. */
  readonly isRecorded: boolean;
}

/** What the average wait rests on, for a reader who takes it for a wait to come. */
const WAIT_NOTES = {
  berthed: 'at anchor before the berth',
  mixed: 'at anchor, open waits included',
  open: 'so far: none has berthed',
} as const;

const figure = (
  value: string,
  field: Parameters<typeof fieldName>[0],
  note: string,
  rank?: number,
): HTMLElement =>
  element(
    'div',
    { class: 'figure' },
    element('dt', {}, fieldName(field)),
    element(
      'dd',
      {},
      rank === undefined ? undefined : element('span', { class: `swatch score-${rank}` }),
      element('b', {}, value),
      element('span', {}, note),
    ),
  );

const vesselsText = (count: number): string => (count === 1 ? 'vessel' : 'vessels');

function ageNotice(ageMinutes: number, budget: number | undefined, asOf: string): HTMLElement {
  const stale = budget !== undefined && ageMinutes > budget;
  const age = durationText(Math.max(0, ageMinutes));
  return element(
    'p',
    { class: stale ? 'age age-stale' : 'age', ...(stale ? { role: 'status' } : {}) },
    element('span', { class: `tag tag-${stale ? 'stale' : 'fresh'}` }, stale ? 'stale' : 'current'),
    ' as of ',
    element('time', { datetime: asOf }, momentText(asOf)),
    stale
      ? `, ${age} ago: older than the ${durationText(budget)} that its source is allowed. The figures are the last good ones. `
      : `, ${age} ago `,
    stale ? element('a', { href: '/docs/status.html' }, 'Status of the sources') : undefined,
  );
}

const recordedNote = (asOf: string): HTMLElement =>
  element(
    'p',
    { class: 'age' },
    element('span', { class: 'tag tag-late' }, 'recorded'),
    ' as of ',
    element('time', { datetime: asOf }, momentText(asOf)),
    ', from recorded replies ',
  );

/** Draws `snapshot` into `body`. */
export function drawSnapshot(body: HTMLElement, snapshot: Snapshot, context: SnapshotContext): void {
  const { vessels } = snapshot;
  const { rank, label } = scoreClassOf(snapshot.congestion_score, context.lines);
  const ageMinutes = (context.now - Date.parse(snapshot.as_of)) / 60_000;
  const budget = budgetOf(context.sources, context.port?.sources ?? []);
  body.append(
    context.isRecorded ? recordedNote(snapshot.as_of) : ageNotice(ageMinutes, budget, snapshot.as_of),
    element(
      'dl',
      { class: 'figures' },
      figure(snapshot.congestion_score.toFixed(3), 'congestion_score', `${label} (from 0 to 1)`, rank),
      figure(
        `${snapshot.avg_wait_hours.toFixed(1)} h`,
        'avg_wait_hours',
        WAIT_NOTES[context.port?.wait_basis ?? 'berthed'],
      ),
      figure(String(vessels.at_anchor), 'at_anchor', vesselsText(vessels.at_anchor)),
      figure(String(vessels.in_port), 'in_port', `${vesselsText(vessels.in_port)}, those at anchor too`),
      figure(String(vessels.arrivals_24h), 'arrivals_24h', `${vesselsText(vessels.arrivals_24h)} in 24 h`),
      figure(
        String(vessels.departures_24h),
        'departures_24h',
        `${vesselsText(vessels.departures_24h)} in 24 h`,
      ),
    ),
  );
}
