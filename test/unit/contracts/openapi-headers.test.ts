/** Headers of a path on its way out, tried on a planted route. */
import { expect, it } from '@jest/globals';
import { errorHeaders, headerComponents, successHeaders } from '../../../core/contracts/openapi/headers.ts';
import { ROUTES, type Route } from '../../../core/contracts/routes.ts';
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

it('documents none of them on a path that stays', () => {
  const documented = Object.keys(successHeaders(ROUTES.trend, ROUTES.trend.paths[0], 200));
  for (const name of ['Link', 'Deprecation', 'Sunset']) expect(documented).not.toContain(name);
});

it('reports no allotment to a key that is refused, nor on health', () => {
  expect(errorHeaders(ROUTES.trend, 401)).not.toHaveProperty('RateLimit-Limit');
  expect(errorHeaders(ROUTES.health, 500)).not.toHaveProperty('RateLimit-Limit');
  expect(errorHeaders(ROUTES.trend, 422)).toHaveProperty('RateLimit-Limit');
});
