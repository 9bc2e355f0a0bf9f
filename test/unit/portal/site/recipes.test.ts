/** The recipes match the API: addresses, parameters and columns, also those of Excel, which no test can run. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
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

describe('the query of Excel', () => {
  const text = read('trend.pq');
  const path = /RelativePath = "([^"]+)"/.exec(text)?.[1] ?? '';
  const route = routeOf(`/${path}`);

  it('asks a path of the API with parameters that it accepts', () => {
    expect(route).toBe(ROUTES.trend);
    const query = /Query = \[(.*)\]/.exec(text)?.[1] ?? '';
    const given = [...query.matchAll(/(\w+) = "([^"]*)"/g)].map(([, name = '', value]) => ({ name, value }));
    expect(given.map(({ name }) => name)).toEqual(['window', 'format']);
    for (const { name, value } of given)
      expect(z.safeParse(route?.query[name]?.schema ?? z.never(), value)).toMatchObject({ success: true });
  });

  it('sends the key in the header', () => {
    expect(text).toContain('Headers = [#"X-API-Key" = ApiKey]');
  });

  it('types every column, and no other, by what the API says of it', () => {
    const typed = [...text.matchAll(/\{"(\w+)", ([\w. ]+)\}/g)].map(([, name, type]) => [name, type]);
    expect(typed.map(([name]) => name)).toEqual(csvHeader(ROUTES.trend));
    expect(typed).toEqual([
      ['date', 'type date'],
      ['congestion_score', 'type number'],
      ['avg_wait_hours', 'type number'],
      ['vessels', 'Int64.Type'],
    ]);
  });
});

describe.each(readdirSync(folder).filter((name) => !name.endsWith('.pq')))('%s', (name) => {
  const text = read(name);
  const addresses = [...text.matchAll(/(?:\/v1\/|\bread\(f?")([\w/{}$-]+)\?([^"\s]*)/g)];

  it('asks paths of the API, with parameters that they have', () => {
    expect(addresses.length).toBeGreaterThan(0);
    for (const [, path, query = ''] of addresses) {
      const route = routeOf(`/v1/${path}`);
      expect(route).toBeDefined();
      for (const pair of query.split('&')) {
        const [parameter = '', value = ''] = pair.split('=');
        expect(Object.keys(route?.query ?? {})).toContain(parameter);
        if (!value.includes('{'))
          expect(z.safeParse(route?.query[parameter]?.schema ?? z.never(), value)).toMatchObject({
            success: true,
          });
      }
    }
  });

  it('reads columns that the CSV has', () => {
    const columns = new Set(
      addresses.flatMap(([, path]) => csvHeader(routeOf(`/v1/${path}`) as Route) ?? []),
    );
    // After a parenthesis it is a field of a JSON response.
    const named = [...text.matchAll(/(?<!\))\["(\w+)"\]|\['(\w+)'\]|trend\$(\w+)|avg\((\w+)/g)].map((match) =>
      match.slice(1).find((group) => group !== undefined),
    );
    expect(named.length).toBeGreaterThan(0);
    for (const column of named) expect(columns).toContain(column);
  });
});
