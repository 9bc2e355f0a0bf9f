/** The views that are kept as pictures: a line each. */
import type { Page } from 'playwright-core';
import { STATUS } from './sample-status.ts';

interface View {
  /** Name of its pictures. */
  readonly name: string;
  readonly path: string;
  /** What is there once the view is drawn. */
  readonly ready: string;
  /** Before the first request. */
  readonly prepare?: (page: Page) => Promise<unknown>;
}

const fixedStatus = (page: Page) =>
  page.route('**/data/status.json', (route) => route.fulfill({ json: STATUS }));

export const VIEWS: readonly View[] = [
  { name: 'first-screen', path: '/', ready: '.world .port-mark' },
  { name: 'heat-map', path: '/?list=heat', ready: '.heat-map tbody tr' },
  { name: 'port', path: '/?port=USLAX', ready: '#port-title' },
  { name: 'compare', path: '/?ports=USLAX,SGSIN', ready: 'canvas' },
  { name: 'docs', path: '/docs/limits.html', ready: 'article table' },
  { name: 'coverage', path: '/docs/coverage.html?country=FI', ready: '.coverage-rows tbody tr' },
  { name: 'status', path: '/docs/status.html', ready: '.outage-bars', prepare: fixedStatus },
  { name: 'try-it', path: '/try-it.html', ready: '.operations' },
];

export const THEMES = ['light', 'dark'] as const;
/** A telephone and a desk. */
export const VIEWPORTS = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
] as const;
