/** Two or three ports in one chart: the wait of each over twelve months, by address, so that a link can be sent. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { addDays } from '../../core/reference/time.ts';
import { type Outcome, requestPath, type Session } from '../api/session.ts';
import { type ComparedChart, comparedChart, MEASURES, type PlacedPort } from '../chart/compared-chart.ts';
import type { ComparedMeasure } from '../chart/compared-series.ts';
import { type SpreadDay, waitHistory } from '../chart/wait-spread.ts';
import { createChoice } from '../view/choice.ts';
import { copyButton } from '../view/copy-button.ts';
import { element } from '../view/element.ts';
import { fieldName } from '../view/field-name.ts';
import { emptyNotice, failureNotice, loadingNotice, noKeyNotice } from '../view/notice.ts';
import { hoursText, planText } from '../view/text.ts';
import { COMPARED_PORTS, type CompareRoute, compareSearch, mapSearch } from './page-route.ts';
import type { Loaded } from './port-index.ts';

interface CompareView {
  readonly node: HTMLElement;
  show(route: CompareRoute): void;
  /** Requests everything again. */
  reload(): void;
}

const SPAN_DAYS = 365;

const nameIn = (known: readonly PortRecord[], code: string): string =>
  known.find(({ port }) => port === code)?.name ?? code;

/** A port compared, with its wait now and a link to the comparison without it. */
function chip(
  code: string,
  place: number,
  codes: readonly string[],
  known: readonly PortRecord[],
): HTMLElement {
  const name = nameIn(known, code);
  const wait = known.find(({ port }) => port === code)?.avg_wait_hours ?? null;
  const others = codes.filter((other) => other !== code);
  const remove = { class: 'remove', href: compareSearch(others), 'aria-label': `Remove ${name}` };
  return element(
    'li',
    {},
    element('span', { class: `line-key line-key-${place}` }),
    element('a', { href: mapSearch({ port: code, window: '30d' }) }, name),
    ' ',
    element('code', {}, code),
    wait === null ? '' : fieldName('avg_wait_hours', `average wait ${hoursText(wait)}`),
    others.length === 0 ? undefined : element('a', remove, '×'),
  );
}

/** The port that the reader names by code or by name. */
function findNamed(known: readonly PortRecord[], text: string): string | undefined {
  const wanted = text.trim().toLowerCase();
  return known.find(({ port, name }) =>
    [port, name, `${name} (${port})`].some((form) => form.toLowerCase() === wanted),
  )?.port;
}

/** The form that adds a port, and what is wrong with the text in it. */
function createPortForm(add: (port: string) => void) {
  let known: readonly PortRecord[] = [];
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
  const form = element(
    'form',
    { class: 'inline-form' },
    element('label', { for: 'compare-add' }, 'Add a port'),
    input,
    element('button', { class: 'button', type: 'submit' }, 'Add'),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const port = findNamed(known, input.value);
    fault.textContent = port === undefined ? `${input.value} is not among the covered ports.` : '';
    if (port === undefined) return;
    input.value = '';
    add(port);
  });
  return {
    form,
    options,
    fault,
    /** `isFull`: no port can be added. */
    show(ports: readonly PortRecord[], isFull: boolean): void {
      known = ports;
      form.hidden = isFull;
      options.replaceChildren(
        ...known.map(({ port, name }) => element('option', { value: `${name} (${port})` })),
      );
    },
  };
}

interface Asked {
  readonly code: string;
  /** Undefined where the request was aborted. */
  readonly outcome: Outcome | undefined;
}

/** The waits of each port over the twelve months up to the newest day of any of them. */
function askWaits(
  session: Session,
  codes: readonly string[],
  known: readonly PortRecord[],
  signal: AbortSignal,
): Promise<Asked[]> {
  const lastDay = known
    .flatMap(({ port, last_day }) => (codes.includes(port) ? (last_day ?? []) : []))
    .toSorted()
    .at(-1);
  const span: Record<string, string> =
    lastDay === undefined ? {} : { from: addDays(lastDay, -SPAN_DAYS), to: lastDay };
  return Promise.all(
    codes.map(async (code) => ({
      code,
      outcome: await session.ask(requestPath('waits', { UNLOCODE: code, ...span }), signal),
    })),
  );
}

const isPlanFailure = ({ outcome }: Asked): boolean => outcome?.kind === 'error' && outcome.status === 403;

/** The ports whose waits were served. */
const servedPorts = (asked: readonly Asked[], known: readonly PortRecord[]): PlacedPort[] =>
  asked.flatMap(({ code, outcome }, place) => {
    if (outcome?.kind !== 'data') return [];
    const { spreads } = waitHistory(JSON.parse(outcome.text) as SpreadDay[]);
    return [{ place, name: nameIn(known, code), spreads }];
  });

/** What stands above the chart for ports that are not in it. */
const notices = (
  asked: readonly Asked[],
  served: readonly PlacedPort[],
  retry: () => void,
): HTMLElement[] => [
  ...asked.flatMap(({ outcome }) =>
    !outcome || outcome.kind === 'data' ? [] : [failureNotice(outcome, retry)],
  ),
  ...served
    .filter(({ spreads }) => spreads.size === 0)
    .map(({ name }) => emptyNotice(`Nothing has been observed of ${name} in these twelve months.`)),
];

const findMeasure = (label: string): ComparedMeasure =>
  (Object.keys(MEASURES) as ComparedMeasure[]).find((name) => MEASURES[name] === label) ?? 'average';

/** `ports` are the covered ports. Calls `go` with the address of other ports. */
export function createCompareView(
  session: Session,
  ports: () => Promise<Loaded<PortRecord>>,
  go: (address: string) => void,
): CompareView {
  let codes: readonly string[] = [];
  let asked = '';
  let measure: ComparedMeasure = 'average';
  let known: readonly PortRecord[] = [];
  let chart: ComparedChart | undefined;
  let run = new AbortController();
  const chips = element('ul', { class: 'compared', 'aria-label': 'Ports compared' });
  const body = element('div', { class: 'compare-body' });
  const form = createPortForm((port) => go(compareSearch([...new Set([...codes, port])])));
  const measures = createChoice('Measure', Object.values(MEASURES), (label) => {
    measure = findMeasure(label);
    chart?.show(measure);
  });
  measures.show(MEASURES[measure]);

  const drawPorts = (): void => {
    chips.replaceChildren(...codes.map((code, place) => chip(code, place, codes, known)));
    form.show(known, codes.length >= COMPARED_PORTS);
  };
  const drawWaits = (loaded: readonly Asked[]): void => {
    if (loaded.some(isPlanFailure)) {
      body.replaceChildren(emptyNotice(planText('Waits day by day', 'waits')));
      return;
    }
    const served = servedPorts(loaded, known);
    const drawn = served.filter(({ spreads }) => spreads.size > 0);
    chart = drawn.length === 0 ? undefined : comparedChart(drawn);
    body.replaceChildren(...notices(loaded, served, reload), ...(chart?.nodes ?? []));
    chart?.show(measure);
  };
  const load = async (signal: AbortSignal): Promise<void> => {
    const { records } = await ports();
    if (signal.aborted) return;
    known = records;
    drawPorts();
    const loaded = await askWaits(session, codes, known, signal);
    if (!signal.aborted) drawWaits(loaded);
  };
  const reload = (): void => {
    run.abort();
    run = new AbortController();
    const { signal } = run;
    asked = `${session.key} ${codes.join()}`;
    chart = undefined;
    form.fault.textContent = '';
    drawPorts();
    if (session.key === '') {
      body.replaceChildren(noKeyNotice());
      return;
    }
    body.replaceChildren(loadingNotice('waits of twelve months'));
    void load(signal);
  };
  return {
    node: frame(chips, form, measures.group, body),
    show(route) {
      codes = route.ports;
      if (asked !== `${session.key} ${codes.join()}`) reload();
    },
    reload,
  };
}

const frame = (
  chips: HTMLElement,
  { form, options, fault }: ReturnType<typeof createPortForm>,
  measures: HTMLElement,
  body: HTMLElement,
): HTMLElement =>
  element(
    'section',
    { class: 'compare-view', 'aria-labelledby': 'compare-title' },
    element(
      'header',
      { class: 'view-head' },
      element('h2', { id: 'compare-title', tabindex: -1 }, 'Ports compared'),
      copyButton('Copy the link', () => location.href),
    ),
    chips,
    element('div', { class: 'compare-controls' }, form, options, measures),
    fault,
    element('section', { class: 'panel', 'aria-label': 'Waits of twelve months' }, body),
  );
