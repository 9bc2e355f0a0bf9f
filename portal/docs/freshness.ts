/** The freshness of each source, live: its newest successful fetch against its budget. */
import { ROUTES } from '../../core/contracts/routes.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import { serviceClock } from '../api/service-clock.ts';
import { createSession } from '../api/session.ts';
import {
  durationText,
  type Freshness,
  freshnessOf,
  type ListedSource,
  SOURCE_LIST,
} from '../api/source-list.ts';
import { element } from '../view/element.ts';
import { createKeyField, publicKey } from '../view/key-field.ts';
import { failureNotice, loadingNotice } from '../view/notice.ts';

const STATES: Readonly<Record<Freshness, string>> = { fresh: 'fresh', late: 'late', stale: 'stale' };
const MINUTE_MS = 60_000;

function row(listed: ListedSource, record: SourceRecord | undefined, now: number): HTMLElement {
  const age = record && (now - Date.parse(record.last_fetch_iso)) / MINUTE_MS;
  const state = age === undefined ? undefined : freshnessOf(age, listed);
  return element(
    'tr',
    { 'data-source': listed.id },
    element('th', { scope: 'row' }, element('code', {}, listed.id)),
    element(
      'td',
      {},
      state === undefined ? 'not fetched' : element('span', { class: `tag tag-${state}` }, STATES[state]),
    ),
    element('td', {}, record?.last_fetch_iso ?? ''),
    element('td', { class: 'number' }, age === undefined ? '' : durationText(Math.max(0, age))),
    element('td', { class: 'number' }, durationText(listed.everyMinutes)),
    element('td', { class: 'number' }, durationText(listed.freshnessBudgetMinutes)),
  );
}

const COLUMNS = ['Source', 'State', 'Newest fetch', 'Age', 'Fetched every', 'Stale after'];

/** The sources that this service serves: those that it says it has fetched. */
function drawn(listed: readonly ListedSource[], records: readonly SourceRecord[], now: number): HTMLElement {
  const served = listed.filter(({ id }) => records.some(({ source }) => source === id));
  const rows = served.map((source) =>
    row(
      source,
      records.find((record) => record.source === source.id),
      now,
    ),
  );
  return element(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Freshness of the sources' },
    element(
      'table',
      { class: 'data' },
      element(
        'thead',
        {},
        element('tr', {}, ...COLUMNS.map((name) => element('th', { scope: 'col' }, name))),
      ),
      element('tbody', {}, ...rows),
    ),
  );
}

export async function startFreshness(host: Element): Promise<void> {
  const session = createSession(
    (path, init) => fetch(path, { ...init, credentials: 'omit', cache: 'no-cache' }),
    async () => {},
  );
  const [listed, now, key] = await Promise.all([
    fetch(SOURCE_LIST).then((response) => response.json() as Promise<ListedSource[]>),
    serviceClock(),
    publicKey(),
  ]);
  session.setKey(key);
  const body = element('div', { class: 'live-body' });
  const load = async (): Promise<void> => {
    if (session.key === '') {
      body.replaceChildren(
        element('p', { class: 'notice' }, 'Enter your API key to see the sources as they are now.'),
      );
      return;
    }
    body.replaceChildren(loadingNotice('sources'));
    const outcome = await session.ask(ROUTES.sources.paths[0]);
    body.replaceChildren(
      outcome.kind === 'answer'
        ? drawn(listed, JSON.parse(outcome.text) as SourceRecord[], now())
        : failureNotice(outcome, () => void load()),
    );
  };
  host.replaceChildren(createKeyField(session, () => void load()).form, body);
  await load();
}
