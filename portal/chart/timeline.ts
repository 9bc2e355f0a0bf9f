/** Dwell as a timeline: waits above, berth stays below, each period a bar in the first free lane. */
import { html, render, svg, type TemplateResult } from 'lit-html';
import type { DwellPeriod } from '../../core/contracts/dwell.ts';
import { DAY_MS } from '../../core/reference/time.ts';
import { dayText } from '../view/text.ts';
import { drawnBy } from './drawing.ts';

/** A period with its ends, epoch milliseconds. */
export interface Period extends Pick<DwellPeriod, 'kind' | 'hours'> {
  readonly startAt: number;
  readonly endAt: number;
}

export const toPeriods = (rows: readonly DwellPeriod[]): Period[] =>
  rows.map(({ start, end, ...row }) => ({ ...row, startAt: Date.parse(start), endAt: Date.parse(end) }));

/** Each span gets the lowest free lane, so that no two in one overlap; there are as many as spans that overlap. */
export function layInLanes<S extends Pick<Period, 'startAt' | 'endAt'>>(spans: readonly S[]) {
  const freeFrom: number[] = [];
  const laid = spans
    .toSorted((a, b) => a.startAt - b.startAt || a.endAt - b.endAt)
    .map((span) => {
      const free = freeFrom.findIndex((at) => at <= span.startAt);
      const lane = free < 0 ? freeFrom.length : free;
      freeFrom[lane] = span.endAt;
      return { ...span, lane };
    });
  return { laid, lanes: freeFrom.length };
}

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

function bar(
  { kind, hours, startAt, endAt }: Period,
  y: number,
  height: number,
  scale: Scale,
): TemplateResult {
  const x = toX(startAt, scale);
  const width = Math.max(1.5, toX(endAt, scale) - x - 0.5).toFixed(1);
  return svg`<rect class="period period-${kind}" x=${x.toFixed(1)} y=${y} width=${width}
    height=${height - 1.5} rx="1.5"><title>${kind} ${hours} h: ${momentText(startAt)} to ${momentText(endAt)} UTC</title></rect>`;
}

/** Thin lines at midnights, with a date where there is room. */
function days(scale: Scale, height: number): TemplateResult[] {
  const first = Math.ceil(scale.fromAt / DAY_MS) * DAY_MS;
  const count = Math.floor((scale.toAt - first) / DAY_MS) + 1;
  const every = Math.max(1, Math.ceil((count * 52) / (scale.width - LEFT)));
  return Array.from({ length: Math.max(0, count) }, (_, i) => {
    const at = first + i * DAY_MS;
    const x = toX(at, scale).toFixed(1);
    const isNamed = i % every === 0 && Number(x) < scale.width - 40;
    return svg`<line class="day-line" x1=${x} x2=${x} y1="0" y2=${height - AXIS}></line>${
      isNamed ? svg`<text class="axis-text" x=${x} y=${height - 5}>${dayText.format(at)}</text>` : ''
    }`;
  });
}

function drawn(periods: readonly Period[], width: number, summary: string): TemplateResult {
  const scale = {
    fromAt: Math.min(...periods.map(({ startAt }) => startAt)),
    toAt: Math.max(...periods.map(({ endAt }) => endAt)),
    width,
  };
  let top = 4;
  const bands = (['wait', 'berth'] as const).map((kind) => {
    const { laid, lanes } = layInLanes(periods.filter((period) => period.kind === kind));
    const [height, bandTop] = [laneHeight(lanes), top];
    top += Math.max(MIN_BAND, lanes * height) + BAND_GAP;
    return svg`<text class="axis-text band-text" x="0" y=${bandTop + 11}>${kind}</text>${laid.map((period) =>
      bar(period, bandTop + period.lane * height, height, scale),
    )}`;
  });
  const height = top - BAND_GAP + AXIS;
  return html`<svg class="timeline" width=${width} height=${height} viewBox="0 0 ${width} ${height}" role="img"
    aria-label=${summary}>${days(scale, height)}${bands}</svg>`;
}

/** Says that not all of `periods` are drawn; empty when they are. */
export const cutNote = (periods: readonly unknown[]): string =>
  periods.length > MAX_BARS ? `Only the newest ${MAX_BARS} are drawn.` : '';

/** `rows` is not empty, the newest last; `summary` is the text alternative. */
export const timeline = (rows: readonly DwellPeriod[], summary: string): TemplateResult => {
  const draw = (host: HTMLElement, width: number): void => {
    render(drawn(toPeriods(rows.slice(-MAX_BARS)), width, summary), host);
  };
  return html`<div class="timeline-host" ${drawnBy(draw, rows)}></div>`;
};
