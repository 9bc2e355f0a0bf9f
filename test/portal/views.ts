/** The views and the states that are kept as pictures: a line each. */
import type { Page, Route } from 'playwright-core';
import type { PortRecord } from '../../core/contracts/ports.ts';
import { UNOBSERVED_PORT } from '../../core/contracts/unobserved-port.ts';
import { STATUS } from './sample-status.ts';

export interface View {
  /** Name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** What is there once the view is drawn. */
  readonly ready: string;
  /** Before the first request. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  /** A request stays without a response. */
  readonly isPending?: boolean;
  /** With the settings of the service, not of the tests. */
  readonly settings?: 'own';
  /** The element at the top of the picture; the page from its beginning without. */
  readonly at?: string;
}

const fixedStatus = (page: Page) =>
  page.route('**/data/status.json', (route) => route.fulfill({ json: STATUS }));

export const VIEWS: readonly View[] = [
  { name: 'first-screen', path: '/', ready: '.world .port-mark' },
  { name: 'port', path: '/?port=USLAX', ready: '.chart canvas', at: '#port-title' },
  { name: 'docs', path: '/docs/limits.html', ready: 'article table' },
  { name: 'coverage', path: '/docs/coverage.html?country=FI&port=FIHEL', ready: '.coverage-port' },
  { name: 'status', path: '/docs/status.html', ready: '.outage-bars', prepare: fixedStatus },
  { name: 'try-it', path: '/try-it.html', ready: '.operations' },
];

/** With the recorded data of `npm start`. */
export const FIRST_START: readonly View[] = [
  { name: 'first-start', path: '/', ready: '.flow-stop', settings: 'own' },
  { name: 'first-start-closed', path: '/?day=2025-09-23', ready: '.flow-later', settings: 'own' },
];

export const THEMES = ['light', 'dark'] as const;
/** A telephone and a desk. */
export const VIEWPORTS = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;

const NO_FORECAST = { rows: [], skill: null, reason: 'short_history', history_days: 0 };
const refused = (status: number, code: string, message: string, hint: string) => (route: Route) =>
  route.fulfill({
    status,
    // Long, so that the seconds that a test takes are no difference.
    headers: { 'Retry-After': '3600' },
    json: { code, message, request_id: '6f9d2a34-7a0f-4b57-9a3e-0d1c5b8e7f21', hint },
  });
const LISTS = '**/v1/{ports,changes}*';
const PORTS = '**/v1/ports';

/** The sample's ports with other figures. */
const withPorts = (changed: Partial<PortRecord>) => async (route: Route) => {
  const response = await route.fetch();
  const ports = (await response.json()) as PortRecord[];
  await route.fulfill({ response, json: ports.map((port) => ({ ...port, ...changed })) });
};

/** The first screen where requests of `pattern` are responded to by `respond`. */
const state = (name: string, ready: string, pattern: string, respond: (route: Route) => unknown): View => ({
  name: `state-${name}`,
  path: '/',
  ready,
  prepare: (page) => page.route(pattern, async (route) => void (await respond(route))),
});
const FAULT = '.notice-error .button';
const NO_SNAPSHOT = refused(404, 'not_found', 'There is no snapshot yet.', 'Nothing has been observed.');

/** What a reader sees where there is not simply data. */
export const STATES: readonly View[] = [
  { ...state('loading', '.map-status .notice-loading', LISTS, () => {}), isPending: true },
  state('empty', '.map-status .notice', LISTS, (route) => route.fulfill({ json: [] })),
  state(
    'error',
    FAULT,
    LISTS,
    refused(500, 'internal_error', 'The service failed.', 'Try again; tell the operator the request id.'),
  ),
  state(
    'limited',
    FAULT,
    LISTS,
    refused(429, 'rate_limited', 'Too many requests with this key.', 'Wait for the seconds in Retry-After.'),
  ),
  state('offline', FAULT, LISTS, (route) => route.abort()),
  state('experimental', '.world .port-mark', PORTS, withPorts({ evidence: 'expected' })),
  {
    name: 'state-no-data',
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
