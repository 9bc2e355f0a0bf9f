/** The views and the states that are kept as pictures. */
import type { Page, Route } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { UNOBSERVED_PORT } from '../../core/contracts/wire.ts';
import { STATUS } from './sample-status.ts';

/** Width and theme of a picture, as in the name of its file. */
export type Look = '360-light' | '360-dark' | '1280-light' | '1280-dark';

/** Each width and each theme once. */
const LIGHT_DESK: readonly Look[] = ['1280-light', '360-dark'];
const DARK_DESK: readonly Look[] = ['1280-dark', '360-light'];

export interface View {
  /** Name of its pictures. */
  readonly name: string;
  readonly looks: readonly Look[];
  readonly path: string;
  /** What is there once the view is drawn. */
  readonly ready: string;
  /** Before the first request. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** With the settings of the service, not of the tests. */
  readonly settings?: 'own';
  /** The element at the top of the picture; the page from its beginning without. */
  readonly at?: string;
}

const fixedStatus = (page: Page) =>
  page.route('**/data/status.json', (route) => route.fulfill({ json: STATUS }));

export const VIEWS: readonly View[] = [
  { name: 'port', looks: LIGHT_DESK, path: '/?port=USLAX', ready: '.chart canvas', at: '#port-title' },
  { name: 'docs', looks: DARK_DESK, path: '/docs/limits.html', ready: 'article table' },
  {
    name: 'coverage',
    looks: LIGHT_DESK,
    path: '/docs/coverage.html?country=FI&port=FIHEL',
    ready: '.coverage-port',
  },
  {
    name: 'status',
    looks: DARK_DESK,
    path: '/docs/status.html',
    ready: '.outage-bars',
    prepare: fixedStatus,
  },
  { name: 'try-it', looks: LIGHT_DESK, path: '/try-it.html', ready: '.operations' },
];

/** With the recorded data of `npm start`. */
export const FIRST_START: readonly View[] = [
  // The README shows it in both themes.
  {
    name: 'first-start',
    looks: ['1280-light', '1280-dark', '360-dark'],
    path: '/',
    ready: '.flow-stop',
    settings: 'own',
  },
  {
    name: 'first-start-closed',
    looks: ['360-light'],
    path: '/?day=2025-09-23',
    ready: '.flow-later',
    settings: 'own',
  },
];

const NO_FORECAST = { rows: [], skill: null, reason: 'short_history', history_days: 0 };
const refused = (status: number, code: string, message: string, hint: string) => (route: Route) =>
  route.fulfill({
    status,
    // Long, so that the seconds that a test takes do not matter.
    headers: { 'Retry-After': '3600' },
    json: { code, message, request_id: '6f9d2a34-7a0f-4b57-9a3e-0d1c5b8e7f21', hint },
  });
const PORTS = '**/v1/ports';

/** The sample's ports with other figures. */
const withPorts = (changed: Partial<PortRecord>) => async (route: Route) => {
  const response = await route.fetch();
  const ports = (await response.json()) as PortRecord[];
  await route.fulfill({ response, json: ports.map((port) => ({ ...port, ...changed })) });
};

const NO_SNAPSHOT = refused(404, 'not_found', 'There is no snapshot yet.', 'Nothing has been observed.');

/** What a reader sees where there is not simply data. */
export const STATES: readonly View[] = [
  {
    name: 'state-error',
    looks: ['360-light'],
    path: '/',
    ready: '.notice-error .button',
    prepare: (page) =>
      page.route(
        '**/v1/{ports,changes}*',
        refused(500, 'internal_error', 'The service failed.', 'Try again; tell the operator the request id.'),
      ),
  },
  {
    name: 'state-no-data',
    looks: ['1280-dark'],
    path: '/?port=USLAX',
    ready: '.panel .notice',
    at: '#port-title',
    prepare: async (page) => {
      await page.route(PORTS, withPorts({ ...UNOBSERVED_PORT, wait_basis: null, stopped_since: null }));
      await page.route('**/v1/changes*', (route) => route.fulfill({ json: [] }));
      await page.route('**/v1/ports/*/*', (route) => route.fulfill({ json: [] }));
      await page.route('**/v1/ports/*/forecast', (route) => route.fulfill({ json: NO_FORECAST }));
      await page.route('**/v1/ports/*/snapshot', NO_SNAPSHOT);
    },
  },
];
