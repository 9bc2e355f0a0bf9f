/** The current freshness of each source: its newest successful fetch against its budget. */
import { ROUTES } from '../../core/contracts/routes.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import { createSession, type Session } from '../api/session.ts';
import { portalSettings } from '../api/settings.ts';
import {
  durationText,
  freshnessOf,
  type ListedSource,
  portalJson,
  SOURCE_LIST,
  serviceClock,
} from '../api/source-list.ts';
import { element } from '../view/element.ts';
import { createKeyField } from '../view/key-field.ts';
import {
  emptyNotice,
  failureNotice,
  incompleteNotice,
  loadingNotice,
  recordedNotice,
} from '../view/notice.ts';

const MINUTE_MS = 60_000;
const COLUMNS = ['Source', 'State', 'Newest fetch', 'Age', 'Fetched every', 'Stale after'];

/** @param now the service's clock; undefined where the replies are recorded, which have no age */
function row(listed: ListedSource, { last_fetch_iso }: SourceRecord, now: number | undefined): HTMLElement {
  const age = now === undefined ? undefined : (now - Date.parse(last_fetch_iso)) / MINUTE_MS;
  const state = age === undefined ? 'recorded' : freshnessOf(age, listed);
  return element(
    'tr',
    { 'data-source': listed.id },
    element('th', { scope: 'row' }, element('code', {}, listed.id)),
    element('td', {}, element('span', { class: `tag tag-${age === undefined ? 'late' : state}` }, state)),
    element('td', {}, last_fetch_iso),
    element('td', { class: 'number' }, age === undefined ? '' : durationText(Math.max(0, age))),
    element('td', { class: 'number' }, durationText(listed.everyMinutes)),
    element('td', { class: 'number' }, durationText(listed.freshnessBudgetMinutes)),
  );
}

function tableAround(rows: readonly HTMLElement[]): HTMLElement {
  const headings = COLUMNS.map((name) => element('th', { scope: 'col' }, name));
  return element(
    'div',
    { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Freshness of the sources' },
    element(
      'table',
      { class: 'data' },
      element('thead', {}, element('tr', {}, ...headings)),
      element('tbody', {}, ...rows),
    ),
  );
}

/** The sources that this service has fetched. */
function drawn(
  listed: readonly ListedSource[],
  records: readonly SourceRecord[],
  now: number | undefined,
): HTMLElement {
  const rows = listed.flatMap((source) => {
    const record = records.find((one) => one.source === source.id);
    return record ? [row(source, record, now)] : [];
  });
  return rows.length === 0 ? emptyNotice('No source has been fetched yet.') : tableAround(rows);
}

/** The key field, and below it the sources as the service lists them for that key. */
async function liveFreshness(session: Session): Promise<HTMLElement[]> {
  const [listed, now, { demoKey = '', recordedUntil }] = await Promise.all([
    portalJson<ListedSource[]>(SOURCE_LIST),
    serviceClock(),
    portalSettings(),
  ]);
  session.setKey(demoKey);
  const body = element('div', { class: 'live-body' });
  const load = async (): Promise<void> => {
    if (session.key === '') {
      body.replaceChildren(emptyNotice('Enter your API key to see the current state of the sources.'));
      return;
    }
    body.replaceChildren(loadingNotice('sources'));
    const outcome = await session.ask(ROUTES.sources.paths[0]);
    body.replaceChildren(
      outcome.kind === 'data'
        ? drawn(
            listed,
            JSON.parse(outcome.text) as SourceRecord[],
            recordedUntil === undefined ? now() : undefined,
          )
        : failureNotice(outcome, () => void load()),
    );
  };
  void load();
  const banner = recordedUntil === undefined ? [] : [recordedNotice(recordedUntil)];
  return [...banner, createKeyField(session, () => void load()).form, body];
}

export async function startFreshness(host: Element): Promise<void> {
  const session = createSession((path, init) =>
    fetch(path, { ...init, credentials: 'omit', cache: 'no-cache' }),
  );
  try {
    host.replaceChildren(...(await liveFreshness(session)));
  } catch (thrown) {
    host.replaceChildren(incompleteNotice());
    throw thrown;
  }
}
