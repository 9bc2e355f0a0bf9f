/** Dwell as a timeline: waits above, berth stays below, each period a bar in the first free lane. */
import { DAY_MS } from '../../core/reference/time.ts';
import { svgElement } from '../view/element.ts';
import { dayText } from '../view/text.ts';
import { drawResponsively } from './canvas-colours.ts';
import { type Laid, layInLanes } from './lanes.ts';
import type { Period } from './response-series.ts';

const LEFT = 52;
const RIGHT = 4;
const BAND_GAP = 14;
const AXIS = 20;
const MIN_BAND = 24;
/** More bars are unreadable: only the newest are drawn, and the page says so. */
const MAX_BARS = 3000;
const momentText = (at: number): string => new Date(at).toISOString().slice(5, 16).replace('T', ' ');

const laneHeight = (lanes: number): number => (lanes > 40 ? 4 : lanes > 20 ? 6 : 9);

interface Scale {
  readonly fromAt: number;
  readonly toAt: number;
  readonly width: number;
}

const toX = (at: number, { fromAt, toAt, width }: Scale): number =>
  LEFT + ((Math.max(at, fromAt) - fromAt) / (toAt - fromAt)) * (width - LEFT - RIGHT);

function bar({ span, lane }: Laid<Period>, top: number, height: number, scale: Scale): SVGElement {
  const x = toX(span.startAt, scale);
  const { kind, hours, startAt, endAt } = span;
  return svgElement(
    'rect',
    {
      class: `period period-${kind}`,
      x: x.toFixed(1),
      y: top + lane * height,
      width: Math.max(1.5, toX(endAt, scale) - x - 0.5).toFixed(1),
      height: height - 1.5,
      rx: 1.5,
    },
    svgElement('title', {}, `${kind} ${hours} h: ${momentText(startAt)} to ${momentText(endAt)} UTC`),
  );
}

/** Thin lines at midnights, with a date where there is room. */
function days(scale: Scale, height: number): SVGElement[] {
  const first = Math.ceil(scale.fromAt / DAY_MS) * DAY_MS;
  const count = Math.floor((scale.toAt - first) / DAY_MS) + 1;
  const every = Math.max(1, Math.ceil((count * 52) / (scale.width - LEFT)));
  return Array.from({ length: Math.max(0, count) }, (_, i) => first + i * DAY_MS).flatMap((at, i) => {
    const x = toX(at, scale).toFixed(1);
    const line = svgElement('line', { class: 'day-line', x1: x, x2: x, y1: 0, y2: height - AXIS });
    const room = Number(x) < scale.width - 40;
    return i % every === 0 && room
      ? [line, svgElement('text', { class: 'axis-text', x, y: height - 5 }, dayText.format(at))]
      : [line];
  });
}

function drawn(periods: readonly Period[], width: number, summary: string): SVGElement {
  const scale = {
    fromAt: Math.min(...periods.map(({ startAt }) => startAt)),
    toAt: Math.max(...periods.map(({ endAt }) => endAt)),
    width,
  };
  const bars: SVGElement[] = [];
  let top = 4;
  for (const kind of ['wait', 'berth'] as const) {
    const { laid, lanes } = layInLanes(periods.filter((period) => period.kind === kind));
    const height = laneHeight(lanes);
    const band = Math.max(MIN_BAND, lanes * height);
    bars.push(
      svgElement('text', { class: 'axis-text band-text', x: 0, y: top + 11 }, kind),
      ...laid.map((placed) => bar(placed, top, height, scale)),
    );
    top += band + BAND_GAP;
  }
  const height = top - BAND_GAP + AXIS;
  return svgElement(
    'svg',
    {
      class: 'timeline',
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: 'img',
      'aria-label': summary,
    },
    ...days(scale, height),
    ...bars,
  );
}

/** Says that not all of `periods` are drawn; empty when they are. */
export const cutNote = (periods: readonly Period[]): string =>
  periods.length > MAX_BARS ? `Only the newest ${MAX_BARS} are drawn.` : '';

/** `periods` is not empty, the newest last; `summary` is the text alternative. */
export function timeline(host: HTMLElement, periods: readonly Period[], summary: string): void {
  const newest = periods.slice(-MAX_BARS);
  drawResponsively(host, (width) => host.replaceChildren(drawn(newest, width, summary)));
}
