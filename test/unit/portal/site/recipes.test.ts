/** The recipes match the API: addresses, parameters and columns, also those of Excel, which no test can run. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { csvHeader } from '../../../../core/contracts/route.ts';
import { ROUTES, type Route } from '../../../../core/contracts/routes.ts';

const folder = fileURLToPath(new URL('../../../../docs/examples/recipes/', import.meta.url));
const read = (name: string): string => readFileSync(folder + name, 'utf8');

/** The route that a path belongs to; a placeholder of the recipe's language counts as a value. */
function routeOf(path: string): Route | undefined {
  const routes: readonly Route[] = Object.values(ROUTES);
  return routes.find(({ paths }) =>
    paths.some((template) => new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`).test(path)),
  );
}

/** The paths that a recipe asks, each with its query. */
function addressesIn(text: string): { path: string; query: [string, string][] }[] {
  const excel = /RelativePath = "([^"]+)",\s+Query = \[(.*)\]/.exec(text);
  if (excel !== null) {
    const [, path = '', query = ''] = excel;
    const given = [...query.matchAll(/(\w+) = "([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]);
    return [{ path: `/${path}`, query: given as [string, string][] }];
  }
  return [...text.matchAll(/(?:\/v1\/|\bread\(f?")([\w/{}$-]+)\?([^"\s]*)/g)].map(([, path, query]) => ({
    path: `/v1/${path}`,
    query: [...new URLSearchParams(query)],
  }));
}

it.each(readdirSync(folder))('%s asks paths of the API, with parameters that they have', (name) => {
  const addresses = addressesIn(read(name));
  expect(addresses.length).toBeGreaterThan(0);
  for (const { path, query } of addresses) {
    const route = routeOf(path);
    expect(route).toBeDefined();
    for (const [parameter, value] of query) {
      expect(Object.keys(route?.query ?? {})).toContain(parameter);
      if (!value.includes('{'))
        expect(z.safeParse(route?.query[parameter]?.schema ?? z.never(), value)).toMatchObject({
          success: true,
        });
    }
  }
});

it.each(readdirSync(folder).filter((name) => !name.endsWith('.pq')))(
  '%s reads columns that the CSV has',
  (name) => {
    const text = read(name);
    const columns = addressesIn(text).flatMap(({ path }) => csvHeader(routeOf(path) as Route) ?? []);
    // After a parenthesis it is a field of a JSON response.
    const named = [...text.matchAll(/(?<!\))\["(\w+)"\]|\['(\w+)'\]|trend\$(\w+)|avg\((\w+)/g)].map((match) =>
      match.slice(1).find((group) => group !== undefined),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const column of named) expect(columns).toContain(column);
  },
);

it('the query of Excel sends the key in the header, and types every column and no other', () => {
  const text = read('trend.pq');
  expect(text).toContain('Headers = [#"X-API-Key" = ApiKey]');
  const typed = [...text.matchAll(/\{"(\w+)", ([\w. ]+)\}/g)].map(([, name, type]) => [name, type]);
  expect(typed.map(([name]) => name)).toEqual(csvHeader(ROUTES.trend));
  expect(typed.map(([, type]) => type)).toEqual(['type date', 'type number', 'type number', 'Int64.Type']);
});
