/** The recipes match the API: addresses, parameters and columns, also those for programs with a window, which no test can run. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import type { Route } from '../../../../core/contracts/route.ts';
import { csvHeader } from '../../../../core/contracts/route.ts';
import { ROUTES } from '../../../../core/contracts/routes.ts';

const folder = fileURLToPath(new URL('../../../../docs/examples/recipes/', import.meta.url));
const read = (name: string): string => readFileSync(folder + name, 'utf8');
/** Those that send a request; a file of settings sends none. */
const recipes = readdirSync(folder).filter((name) => !name.endsWith('.yaml'));

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
  return [...text.matchAll(/(?:\/v1\/|\bread\(f?")([\w/{}$-]+)\?([^"'`\s]*)/g)].map(([, path, query]) => ({
    path: `/v1/${path}`,
    query: [...new URLSearchParams(query)],
  }));
}

it.each(recipes)('%s asks paths of the API, with parameters that they have', (name) => {
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

it.each(recipes.filter((name) => !/\.(pq|gs)$/.test(name)))('%s reads columns that the CSV has', (name) => {
  const text = read(name);
  const columns = addressesIn(text).flatMap(({ path }) => csvHeader(routeOf(path) as Route) ?? []);
  // After a parenthesis it is a field of a JSON response.
  const named = [...text.matchAll(/(?<!\))\["(\w+)"\]|\['(\w+)'\]|trend\$(\w+)|avg\((\w+)/g)].map((match) =>
    match.slice(1).find((group) => group !== undefined),
  );
  expect(named.length).toBeGreaterThan(0);
  for (const column of named) expect(columns).toContain(column);
});

it('the query of Excel sends the key in the header, and types every column and no other', () => {
  const text = read('trend.pq');
  expect(text).toContain('Headers = [#"X-API-Key" = ApiKey]');
  const typed = [...text.matchAll(/\{"(\w+)", ([\w. ]+)\}/g)].map(([, name, type]) => [name, type]);
  expect(typed.map(([name]) => name)).toEqual(csvHeader(ROUTES.trend));
  expect(typed.map(([, type]) => type)).toEqual(['type date', 'type number', 'type number', 'Int64.Type']);
});

describe('the script of Google Sheets', () => {
  /** Runs it against a response; resolves with what it sends and writes. */
  function run(status: number, body: string) {
    const sent: unknown[] = [];
    const written: unknown[] = [];
    const properties = { BASE_URL: 'https://data.example', PCD_API_KEY: 'a key' };
    runInNewContext(`${read('trend.gs')}\ntrend();`, {
      PropertiesService: { getScriptProperties: () => ({ getProperties: () => properties }) },
      UrlFetchApp: {
        fetch(...request: unknown[]) {
          sent.push(request);
          return { getResponseCode: () => status, getContentText: () => body };
        },
      },
      Utilities: {
        parseCsv: (text: string) =>
          text
            .trim()
            .split('\n')
            .map((line) => line.split(',')),
      },
      SpreadsheetApp: {
        getActiveSheet: () => ({
          clearContents: () => ({
            getRange: (...range: unknown[]) => ({
              setValues: (rows: unknown[]) => written.push({ range, rows }),
            }),
          }),
        }),
      },
    });
    return { sent, written };
  }

  it('sends the key in the header, and writes every row and column', () => {
    const { sent, written } = run(200, 'date,vessels\n2025-10-03,154\n2025-10-04,137\n');
    expect(sent).toEqual([
      [
        'https://data.example/v1/ports/TWKHH/trend?window=30d&until=2025-10-04&format=csv',
        { headers: { 'X-API-Key': 'a key' }, muteHttpExceptions: true },
      ],
    ]);
    const rows = [
      ['date', 'vessels'],
      ['2025-10-03', '154'],
      ['2025-10-04', '137'],
    ];
    expect(written).toEqual([{ range: [1, 1, 3, 2], rows }]);
  });

  it('shows the message of an error, and leaves the sheet as it is', () => {
    expect(() => run(404, '{"message":"ZZZZZ is not covered."}')).toThrow('ZZZZZ is not covered.');
  });
});

it('the panel of Grafana asks for columns that the waits have, with parameters that they take', () => {
  const page = readFileSync(new URL('../../../../docs/recipes/grafana.md', import.meta.url), 'utf8');
  const [, path = '', query = ''] = /URL \| `([^?`]+)\?([^`]+)`/.exec(page) ?? [];
  const route = routeOf(path) as Route;
  expect(Object.keys(route.query)).toEqual(expect.arrayContaining([...new URLSearchParams(query).keys()]));
  const [, columns = ''] = /Columns \| (.+)/.exec(page) ?? [];
  const named = [...columns.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(named.length).toBe(3);
  expect(csvHeader(route)).toEqual(expect.arrayContaining(named));
});
