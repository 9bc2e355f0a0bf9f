/** Two or three ports in one chart: the wait of each over twelve months, by address, so that a link can be sent. */

import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { type Outcome, requestPath, type Session } from '../api/session.ts';
import { type ComparedPort, comparedSeries, comparedTable } from '../chart/compared-series.ts';
import { DRAWN_DAYS, type LineChart, lineChart, TOO_SHORT } from '../chart/line-chart.ts';
import { type SpreadDay, waitHistory } from '../chart/wait-spread.ts';
import { createChoice } from '../view/choice.ts';
import { copyButton } from '../view/copy-button.ts';
import { valuesBehind } from '../view/data-table.ts';
import { element, REDRAW } from '../view/element.ts';
import { fieldName } from '../view/field-name.ts';
import { emptyNotice, failureNotice, loadingNotice, noKeyNotice } from '../view/notice.ts';
import { dayYearText, hoursText, planText } from '../view/text.ts';
import { COMPARED_PORTS, type CompareRoute, compareSearch, mapSearch } from './page-route.ts';
import type { Loaded } from './port-index.ts';

interface CompareView {
  readonly node: HTMLElement;
  show(route: CompareRoute): void;
  /** Requests everything again. */
  reload(): void;
}

const MEASURES = {
  average: 'Average wait',
  median: 'Half waited at most',
  p90: 'Nine in ten at most',
} as const;
type Measure = keyof typeof MEASURES;
/** The names of the measures in the API and its methodology. */
const FIELDS = {
  average: 'avg_wait_hours',
  median: 'median of waits',
  p90: '90th percentile of waits',
} as const;
const LINES = [
  { colour: '--line-score' },
  { colour: '--line-wait', dash: [8, 4] },
  { colour: '--line-third', dash: [2, 3] },
] as const;
const SPAN_DAYS = 365;

type Asked = { readonly code: string; readonly outcome: Outcome };
type Failure = Exclude<Outcome, { kind: 'data' }>;

const isPlanFailure = (outcome: Failure): boolean => outcome.kind === 'error' && outcome.status === 403;

/** A port of the list, with its place in the address, which its line is drawn by. */
type ListedPort = ComparedPort & { readonly place: number };

const chart = (ports: readonly ListedPort[], measure: Measure): LineChart => {
  const { days, values } = comparedSeries(ports, measure);
  return {
    times: days,
    axisLabel: `${MEASURES[measure]}, hours`,
    fromZero: true,
    lines: ports.map(({ name, place }, i) => ({
      label: `${name}, h`,
      field: FIELDS[measure],
      values: values[i] ?? [],
      ...(LINES[place] ?? LINES[0]),
    })),
  };
};

/** `ports` are the covered ports. Calls `go` with the address of other ports. */
export function createCompareView(
  session: Session,
  ports: () => Promise<Loaded<PortRecord>>,
  go: (address: string) => void,
): CompareView {
  let codes: readonly string[] = [];
  let asked = '';
  let measure: Measure = 'average';
  let known: readonly PortRecord[] = [];
  let run = new AbortController();
  const title = element('h2', { id: 'compare-title', tabindex: -1 }, 'Ports compared');
  const chips = element('ul', { class: 'compared', 'aria-label': 'Ports compared' });
  const body = element('div', { class: 'compare-body' });
  const options = element('datalist', { id: 'compare-ports' });
  const input = element('input', {
    id: 'compare-add',
    list: 'compare-ports',
    autocomplete: 'off',
    size: 22,
    required: true,
    placeholder: 'Name or UN/LOCODE',
  });
  const fault = element('p', { class: 'compare-fault', role: 'alert' });
  const add = element(
    'form',
    { class: 'inline-form' },
    element('label', { for: 'compare-add' }, 'Add a port'),
    input,
    element('button', { class: 'button', type: 'submit' }, 'Add'),
  );
  const measures = createChoice('Measure', Object.values(MEASURES), (label) => {
    measure = (Object.keys(MEASURES) as Measure[]).find((name) => MEASURES[name] === label) ?? 'average';
    showMeasure();
  });
  measures.show(MEASURES[measure]);
  let showMeasure = (): void => {};
  const link = copyButton('Copy the link', () => location.href);

  /** The port that the reader names by code or by name. */
  const found = (text: string): PortRecord | undefined => {
    const wanted = text.trim().toLowerCase();
    const isNamed = ({ port, name }: PortRecord): boolean =>
      [port, name, `${name} (${port})`].some((known) => known.toLowerCase() === wanted);
    return known.find(isNamed);
  };
  add.addEventListener('submit', (event) => {
    event.preventDefault();
    const port = found(input.value);
    fault.textContent = port === undefined ? `${input.value} is not among the covered ports.` : '';
    if (port === undefined) return;
    input.value = '';
    go(compareSearch([...new Set([...codes, port.port])]));
  });

  const portName = (code: string): string => known.find(({ port }) => port === code)?.name ?? code;
  function drawChips(): void {
    chips.replaceChildren(
      ...codes.map((code, i) => {
        const record = known.find(({ port }) => port === code);
        const wait = record?.avg_wait_hours ?? null;
        const others = codes.filter((other) => other !== code);
        return element(
          'li',
          {},
          element('span', { class: `line-key line-key-${i}` }),
          element('a', { href: mapSearch({ port: code, window: '30d' }) }, portName(code)),
          ' ',
          element('code', {}, code),
          wait === null ? '' : fieldName('avg_wait_hours', `average wait ${hoursText(wait)}`),
          others.length === 0
            ? undefined
            : element(
                'a',
                { class: 'remove', href: compareSearch(others), 'aria-label': `Remove ${portName(code)}` },
                '×',
              ),
        );
      }),
    );
    add.hidden = codes.length >= COMPARED_PORTS;
    options.replaceChildren(
      ...known.map(({ port, name }) => element('option', { value: `${name} (${port})` })),
    );
  }

  function drawOutcomes(loaded: readonly Asked[]): void {
    const failed = loaded.flatMap(({ code, outcome }) =>
      outcome.kind === 'data' ? [] : [{ code, outcome }],
    );
    if (failed.some(({ outcome }) => isPlanFailure(outcome))) {
      body.replaceChildren(emptyNotice(planText('Waits day by day', 'waits')));
      return;
    }
    const ports = loaded.flatMap(({ code, outcome }, place): ListedPort[] =>
      outcome.kind === 'data'
        ? [
            {
              place,
              name: portName(code),
              spreads: waitHistory(JSON.parse(outcome.text) as SpreadDay[]).spreads,
            },
          ]
        : [],
    );
    const silent = ports.filter(({ spreads }) => spreads.size === 0).map(({ name }) => name);
    const notices = [
      ...failed.map(({ outcome }) => failureNotice(outcome, reload)),
      ...silent.map((name) => emptyNotice(`Nothing has been observed of ${name} in these twelve months.`)),
    ];
    const drawn = ports.filter(({ spreads }) => spreads.size > 0);
    if (drawn.length === 0) {
      body.replaceChildren(...notices);
      return;
    }
    const { days } = comparedSeries(drawn, measure);
    const host = element('div', { class: 'chart chart-year' });
    const values = element('div', {});
    const note = element(
      'p',
      { class: 'chart-note' },
      `Hours at anchor before the berth, twelve months up to ${dayYearText.format(Date.parse(days.at(-1) ?? ''))}. Each day is that of the vessels that berthed in the week up to it, or in 14 or 28 days where fewer than three did.`,
    );
    lineChart(host, () => chart(drawn, measure));
    showMeasure = () => {
      values.replaceChildren(
        valuesBehind(comparedTable(drawn, measure), `${MEASURES[measure]}, twelve months, hours`),
      );
      document.dispatchEvent(new Event(REDRAW));
    };
    body.replaceChildren(...notices, days.length < DRAWN_DAYS ? emptyNotice(TOO_SHORT) : host, note, values);
    showMeasure();
  }

  async function load(signal: AbortSignal): Promise<void> {
    const wanted = codes;
    const { records } = await ports();
    if (signal.aborted) return;
    known = records;
    drawChips();
    // As on the page of the port that was observed last.
    const lastDay = records
      .flatMap(({ port, last_day }) => (wanted.includes(port) ? (last_day ?? []) : []))
      .toSorted()
      .at(-1);
    const span: Record<string, string> =
      lastDay === undefined ? {} : { from: addDays(lastDay, -SPAN_DAYS), to: lastDay };
    const asking = wanted.map(async (code): Promise<Asked> => {
      const outcome = await session.ask(requestPath('waits', { UNLOCODE: code, ...span }), signal);
      return { code, outcome };
    });
    const loaded = await Promise.all(asking);
    if (!signal.aborted) drawOutcomes(loaded);
  }

  const reload = (): void => {
    run.abort();
    run = new AbortController();
    const { signal } = run;
    asked = `${session.key} ${codes.join()}`;
    fault.textContent = '';
    drawChips();
    if (session.key === '') {
      body.replaceChildren(noKeyNotice());
      return;
    }
    showMeasure = () => {};
    body.replaceChildren(loadingNotice('waits of twelve months'));
    load(signal).catch((thrown: unknown) => {
      if (!signal.aborted) throw thrown;
    });
  };
  return {
    node: element(
      'section',
      { class: 'compare-view', 'aria-labelledby': 'compare-title' },
      element('header', { class: 'view-head' }, title, link),
      chips,
      element('div', { class: 'compare-controls' }, add, options, measures.group),
      fault,
      element('section', { class: 'panel', 'aria-label': 'Waits of twelve months' }, body),
    ),
    show(route) {
      codes = route.ports;
      if (asked !== `${session.key} ${codes.join()}`) reload();
    },
    reload,
  };
}
