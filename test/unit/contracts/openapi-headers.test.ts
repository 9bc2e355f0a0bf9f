/** Headers of a path on its way out, tried on a planted route. */
import { expect, it } from '@jest/globals';
import { headerComponents, successHeaders } from '../../../core/contracts/openapi/document.ts';
import type { Route } from '../../../core/contracts/route.ts';
import { ROUTES } from '../../../core/contracts/routes.ts';
import { routeHeaders } from '../../../core/http/response.ts';

const planted: Route = {
  ...ROUTES.sources,
  deprecation: { since: '2026-11-01', sunset: '2027-05-01', link: '/docs/changelog.html' },
};
const components = headerComponents({ requestId: 'id', etag: '"tag"' });

it.each(planted.paths)('documents the headers that %s really gets, in their form', (path) => {
  const documented = successHeaders(planted, path, 200);
  for (const [name, value] of Object.entries(routeHeaders(planted, path))) {
    const component = documented[name]?.$ref.split('/').at(-1) as keyof typeof components;
    const { schema } = components[component] as { schema: { pattern?: string } };
    expect(value).toMatch(new RegExp(schema.pattern ?? 'no pattern'));
  }
  expect(Object.keys(documented)).toEqual(expect.arrayContaining(['Link', 'Deprecation', 'Sunset']));
});
