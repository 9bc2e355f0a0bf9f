/** Reads and checks the parameters of a request; the first fault, in the order of the statuses, is returned. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../contracts/errors.ts';
import { GATEWAY_ERRORS } from '../contracts/gateway-errors.ts';
import type { Parameter } from '../contracts/parameters.ts';
import { exampleRequest, type Route, requiredOf } from '../contracts/route.ts';
import { isMisspelling } from './misspelling.ts';

export interface ReadParameters {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

const unreadable = (): ApiError =>
  new ApiError('bad_request', 'The URL has a percent sign without a valid escape.', {
    hint: 'Write a percent sign as %25; in an escape, two hexadecimal digits follow it.',
  });

/** The gateway decodes queries: a value that still has a broken escape was never decodable. */
function refuseUnreadable(value: string): void {
  if (BROKEN_ESCAPE.test(value)) throw unreadable();
}

/** The values of the path's own parameters; REST APIs of API Gateway pass paths on undecoded. */
function decodedPath(route: Route, event: APIGatewayProxyEvent): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const name of Object.keys(route.path)) {
    try {
      decoded[name] = decodeURIComponent(event.pathParameters?.[name] ?? '');
    } catch {
      throw unreadable();
    }
  }
  return decoded;
}

function check<T>(name: string, parameter: Parameter<T>, value: string, tryThis: () => string): T {
  const result = parameter.schema.safeParse(value);
  if (result.success) return result.data;
  throw new ApiError('validation_failed', `${name} ${parameter.rule}.`, {
    hint: parameter.hintFor?.(value) ?? tryThis(),
  });
}

/** A hint that names a working request to the same resource, with the path's own values where they are valid. */
function workingRequest(route: Route, path: Readonly<Record<string, string>>): string {
  const good = Object.entries(path).filter(
    ([name, value]) => route.path[name]?.schema.safeParse(value).success,
  );
  return `Try GET ${exampleRequest(route, Object.fromEntries(good))}`;
}

const AS_OF = 'as_of';

/** An ignored parameter changes the data that a caller gets; the name is not repeated, it may have any character. */
function refuseMisspelt(route: Route, sent: readonly string[]): void {
  const known = Object.keys(route.query);
  // Ignored, it would give figures that nobody knew on that day.
  if (route.authenticated && sent.includes(AS_OF) && !known.includes(AS_OF))
    throw new ApiError('validation_failed', `${AS_OF} is not possible here: this resource has no vintages.`, {
      hint: `Omit ${AS_OF}. Trend, waits, alerts, snapshot, the list of ports and HS imports take it.`,
    });
  const meant = known.find((name) =>
    sent.some((other) => !known.includes(other) && isMisspelling(other, name)),
  );
  if (meant !== undefined)
    throw new ApiError('validation_failed', 'The name of a parameter is misspelt.', {
      hint: `Did you mean ${meant}?`,
    });
}

/** API Gateway also routes a path with a slash at its end to the resource; the contract has no such path. */
function refuseExtraSlash({ path }: APIGatewayProxyEvent): void {
  const { message, hint } = GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN;
  if (/\/\/|.\/$/.test(path)) throw new ApiError('not_found', message, { hint });
}

/** Throws `not_found` at a path that is not written as the contract has it, `bad_request`, `conflict` or `validation_failed`. */
export function readParameters(route: Route, event: APIGatewayProxyEvent): ReadParameters {
  refuseExtraSlash(event);
  const sentPath = decodedPath(route, event);
  const sentQuery = event.multiValueQueryStringParameters ?? {};
  const given = Object.keys(route.query).filter((name) => sentQuery[name]?.[0] !== undefined);
  for (const name of given) sentQuery[name]?.forEach(refuseUnreadable);

  const rivals = (route.exclusive ?? []).filter((name) => given.includes(name));
  if (rivals.length > 1)
    throw new ApiError('conflict', `${rivals.join(' and ')} exclude each other.`, {
      hint: `Give one of them. ${workingRequest(route, sentPath)}`,
    });

  refuseMisspelt(route, Object.keys(sentQuery));
  const path: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(route.path))
    path[name] = check(name, parameter, sentPath[name] ?? '', () => workingRequest(route, {}));

  const tryThis = (): string => workingRequest(route, sentPath);
  const wanted = requiredOf(route);
  if (wanted !== undefined && rivals.length === 0)
    throw new ApiError('validation_failed', `${wanted} is missing: it ${route.query[wanted]?.rule}.`, {
      hint: tryThis(),
    });
  const query: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(route.query)) {
    const [value, ...more] = sentQuery[name] ?? [];
    if (more.length > 0)
      throw new ApiError('validation_failed', `${name} is given ${1 + more.length} times.`, {
        hint: `Give it once. ${tryThis()}`,
      });
    query[name] = value === undefined ? parameter.default : check(name, parameter, value, tryThis);
  }
  return { path, query };
}
