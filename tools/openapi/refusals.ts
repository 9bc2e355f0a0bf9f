/** Invalid parameters of an operation, passed to the code that reads them: the document shows its errors. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../../core/contracts/errors.ts';
import type { Fault } from '../../core/contracts/openapi/responses.ts';
import { type Route, requiredParameter } from '../../core/contracts/route.ts';
import { readParameters } from '../../core/http/request.ts';

type Path = Readonly<Record<string, string>>;
type Query = Readonly<Record<string, string | readonly string[]>>;

/** A value with a percent sign that is not decodable. */
const UNDECODABLE = '%zz';

/** Only the fields that `readParameters` uses. */
const event = (path: Path, query: Query): APIGatewayProxyEvent =>
  ({
    pathParameters: path,
    multiValueQueryStringParameters: Object.fromEntries(
      Object.entries(query).map(([name, value]) => [name, [value].flat()]),
    ),
  }) as unknown as APIGatewayProxyEvent;

/** Every way in which the parameters of `route` can be wrong. */
export function refusals(route: Route): readonly Fault[] {
  const parameter = (name: string) => route.path[name] ?? route.query[name];
  const example = (name: string): string => parameter(name)?.example ?? '';
  const wrong = (name: string): string => parameter(name)?.counterexample ?? UNDECODABLE;
  const examples = (names: readonly string[]): Path =>
    Object.fromEntries(names.map((name) => [name, example(name)]));

  const { exclusive = [] } = route;
  const required = requiredParameter(route);
  const path = examples(Object.keys(route.path));
  const query = examples(required === undefined ? [] : [required]);
  const [pathName] = Object.keys(route.path);
  const [queryName] = Object.keys(route.query);
  const faults: Fault[] = [];
  const refuse = (name: string, sentPath: Path, sentQuery: Query): void => {
    try {
      readParameters(route, event(sentPath, sentQuery));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      faults.push({ name, error });
      return;
    }
    throw new Error(`${route.paths[0]} takes what should be refused: ${name}`);
  };

  if (pathName !== undefined) refuse('broken_escape', { ...path, [pathName]: UNDECODABLE }, query);
  else if (queryName !== undefined) refuse('broken_escape', path, { ...query, [queryName]: UNDECODABLE });
  if (exclusive.length > 0) {
    refuse('exclusive', path, examples(exclusive));
    if (required !== undefined) refuse('missing', path, {});
  }
  for (const name of Object.keys(route.path)) refuse(name, { ...path, [name]: wrong(name) }, query);
  for (const name of Object.keys(route.query)) {
    // One of several that exclude each other is sent alone.
    const others = exclusive.includes(name) && exclusive.includes(required ?? '') ? {} : query;
    refuse(name, path, { ...others, [name]: wrong(name) });
  }
  if (queryName !== undefined) {
    refuse('misspelt', path, { ...query, [queryName.slice(0, -1)]: 'x' });
    refuse('twice', path, { [queryName]: [example(queryName), example(queryName)] });
  }
  return faults;
}
