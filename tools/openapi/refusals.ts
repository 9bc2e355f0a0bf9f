/** Invalid parameters of an operation, passed to the code that reads them: the document shows its errors. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../core/contracts/errors.ts';
import type { Fault } from '../../core/contracts/openapi/responses.ts';
import { type Route, requiredParameter } from '../../core/contracts/route.ts';
import { readParameters } from '../../core/http/request.ts';

type Sent = Readonly<Record<string, string>>;

/** A value with a percent sign that is not decodable. */
const UNDECODABLE = '%zz';

const without = (all: Sent, names: readonly string[]): Sent =>
  Object.fromEntries(Object.entries(all).filter(([name]) => !names.includes(name)));

/** Only the fields that `readParameters` uses. */
const event = (path: Sent, query: Readonly<Record<string, readonly string[]>>): APIGatewayProxyEvent =>
  ({
    pathParameters: path,
    multiValueQueryStringParameters: query,
  }) as unknown as APIGatewayProxyEvent;

function refusal(name: string, route: Route, path: Sent, query: Readonly<Record<string, readonly string[]>>) {
  try {
    readParameters(route, event(path, query));
  } catch (error) {
    if (error instanceof ApiError) return { name, error };
    throw error;
  }
  throw new Error(`${route.paths[0]} takes what should be refused: ${name}`);
}

/** Every way in which the parameters of `route` can be wrong. */
export function refusals(route: Route): readonly Fault[] {
  const pathNames = Object.keys(route.path);
  const queryNames = Object.keys(route.query);
  const goodPath: Sent = Object.fromEntries(pathNames.map((name) => [name, route.path[name]?.example ?? '']));
  const required = requiredParameter(route);
  const goodQuery: Sent = required === undefined ? {} : { [required]: route.query[required]?.example ?? '' };
  const lists = (query: Sent) =>
    Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]]));
  const wrong = (name: string): string =>
    (route.path[name] ?? route.query[name])?.counterexample ?? UNDECODABLE;
  const [first] = [...pathNames, ...queryNames];
  const unreadable =
    first === undefined
      ? []
      : [
          pathNames.includes(first)
            ? refusal('broken_escape', route, { ...goodPath, [first]: UNDECODABLE }, lists(goodQuery))
            : refusal('broken_escape', route, goodPath, lists({ ...goodQuery, [first]: UNDECODABLE })),
        ];
  const rivals =
    route.exclusive === undefined
      ? []
      : [
          refusal(
            'exclusive',
            route,
            goodPath,
            lists(
              Object.fromEntries(route.exclusive.map((name) => [name, route.query[name]?.example ?? ''])),
            ),
          ),
          ...(required === undefined ? [] : [refusal('missing', route, goodPath, {})]),
        ];
  return [
    ...unreadable,
    ...rivals,
    ...pathNames.map((name) => refusal(name, route, { ...goodPath, [name]: wrong(name) }, lists(goodQuery))),
    ...queryNames.map((name) =>
      refusal(
        name,
        route,
        goodPath,
        lists({
          ...without(goodQuery, route.exclusive?.includes(name) ? route.exclusive : []),
          [name]: wrong(name),
        }),
      ),
    ),
    ...queryNames
      .slice(0, 1)
      .map((name) =>
        refusal('misspelt', route, goodPath, { ...lists(goodQuery), [name.slice(0, -1)]: ['x'] }),
      ),
    ...queryNames.slice(0, 1).map((name) => {
      const value = route.query[name]?.example ?? '';
      return refusal('twice', route, goodPath, { [name]: [value, value] });
    }),
  ];
}
