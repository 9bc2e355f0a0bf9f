/** What changed this week: the ports whose score has moved most, each with its thirty days and a sentence. */
import type { PortChange } from '../../core/contracts/changes.ts';
import { element } from '../view/element.ts';
import { nameInApi } from '../view/field-name.ts';
import { emptyNotice, failureNotice, loadingNotice } from '../view/notice.ts';
import { hoursText, isStill, movedText, scoreText, vesselsText } from '../view/text.ts';
import type { Loaded } from './port-index.ts';
import { sparkline } from './sparkline.ts';

// The change of one port within a week, in words.

type Figures = Omit<PortChange, 'port' | 'name' | 'country' | 'scores'>;

function scorePart({ congestion_score: score, congestion_score_change: change }: Figures): string {
  if (score === null) return 'Nothing has been observed yet';
  if (change === null) return `Score ${scoreText(score)}`;
  if (isStill(change)) return `Score ${scoreText(score)}, as a week ago`;
  return `Score ${movedText(score, change)}`;
}

function anchorPart({ at_anchor: count, at_anchor_change: change }: Figures): string | undefined {
  if (count === null) return undefined;
  const now = `${vesselsText(count)} at anchor`;
  if (change === null) return now;
  if (change === 0) return `${now}, unchanged`;
  return `${now}, ${Math.abs(change)} ${change > 0 ? 'more' : 'fewer'} than a week ago`;
}

/** A wait that differs by less than this is the same for a reader. Hours. */
const SAME_HOURS = 0.5;

function waitPart({ avg_wait_hours: hours, avg_wait_hours_change: change }: Figures): string | undefined {
  if (hours === null) return undefined;
  const now = `average wait for a berth ${hoursText(hours)}`;
  if (change === null || Math.abs(change) < SAME_HOURS) return now;
  return `${now} (${hoursText(Math.max(0, hours - change))} a week ago)`;
}

/** For example `Score rose from 0.29 to 0.41. 21 vessels at anchor, 12 more than a week ago; average wait for a berth 29 h (21 h a week ago).` */
export function moverSentence(figures: Figures): string {
  const rest = [anchorPart(figures), waitPart(figures)].filter((part) => part !== undefined).join('; ');
  return rest === '' ? `${scorePart(figures)}.` : `${scorePart(figures)}. ${capitalized(rest)}.`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

interface Movers {
  readonly node: HTMLElement;
  /**
   * `changes` is undefined where the list of ports has failed, which is said elsewhere; `still`, empty where a port has
   * moved, is said above them.
   */
  show(changes: Loaded<PortChange> | undefined, still: string, selected: string | undefined): void;
}

const SHOWN = 10;
/** A line of fewer days is a speck. */
const MIN_LINE_DAYS = 7;

function arrow(change: number | null): HTMLElement | undefined {
  if (change === null || isStill(change)) return undefined;
  const up = change > 0;
  return element(
    'span',
    { class: up ? 'arrow-up' : 'arrow-down', title: nameInApi('congestion_score_change') },
    `${up ? '▲ +' : '▼ −'}${scoreText(Math.abs(change))}`,
  );
}

const mover = (change: PortChange, href: string, isSelected: boolean): HTMLElement =>
  element(
    'li',
    { class: isSelected ? 'mover selected' : 'mover' },
    element(
      'p',
      { class: 'mover-head' },
      element('a', { href, 'aria-current': isSelected ? 'true' : undefined }, change.name),
      ' ',
      element('code', {}, change.port),
      ' ',
      arrow(change.congestion_score_change),
    ),
    change.scores.filter((score) => score !== null).length < MIN_LINE_DAYS
      ? undefined
      : sparkline(change.scores),
    element('p', { class: 'mover-text' }, moverSentence(change)),
  );

/** `retry` requests the changes again. */
export function createMovers(portHref: (port: string) => string, retry: () => void): Movers {
  const body = element('div', {
    class: 'movers-body',
    tabindex: 0,
    role: 'region',
    'aria-label': 'Ports, each with its change',
  });
  const title = element('h2', { id: 'movers-title' });
  const lineNote = element('span', { class: 'movers-line' }, 'score of 30 days');
  const node = element(
    'section',
    { class: 'movers', 'aria-labelledby': 'movers-title' },
    element('header', { class: 'movers-head' }, title, lineNote),
    body,
  );
  const content = (
    { records, failure, complete }: Loaded<PortChange>,
    still: string,
    selected: string | undefined,
  ) => {
    if (failure) return failureNotice(failure, retry);
    if (!complete) return loadingNotice('changes');
    if (records.length === 0) return emptyNotice('No port is covered yet.');
    // Where none has moved, the ports that have figures, worst first.
    const shown =
      still === ''
        ? records.filter(({ congestion_score_change: change }) => change !== null && !isStill(change))
        : records
            .filter(({ congestion_score }) => congestion_score !== null)
            .sort((a, b) => (b.congestion_score ?? 0) - (a.congestion_score ?? 0));
    return element(
      'ol',
      {},
      ...shown
        .slice(0, SHOWN)
        .map((change) => mover(change, portHref(change.port), change.port === selected)),
    );
  };
  return {
    node,
    show: (changes, still, selected) => {
      title.textContent = still === '' ? 'Changed most this week' : 'Highest scores';
      lineNote.hidden = still !== '';
      body.replaceChildren(...(changes ? [content(changes, still, selected)] : []));
    },
  };
}
