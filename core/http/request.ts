/** Reads a request: its headers and id, and its parameters, checked. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from '../contracts/errors.ts';
import { type Parameter, ROW_PARAMETERS } from '../contracts/parameters.ts';
import { exampleRequest, type Route, requiredParameter } from '../contracts/route.ts';
import { VIEWER_HOST } from '../contracts/wire.ts';
import { GATEWAY_ERRORS } from './gateway-errors.ts';

/** What the chain reads of the event of API Gateway's proxy integration. No other file knows its form. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  | 'httpMethod'
  | 'resource'
  | 'path'
  | 'pathParameters'
  | 'multiValueHeaders'
  | 'multiValueQueryStringParameters'
> & {
  readonly requestContext: Pick<
    APIGatewayProxyEvent['requestContext'],
    'authorizer' | 'domainName' | 'path' | 'requestId'
  >;
};

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Every value of a header, joined as HTTP joins them; undefined when it was not sent. */
export function readHeader(event: GatewayEvent, name: string): string | undefined {
  const wanted = name.toLowerCase();
  const headers = event.multiValueHeaders ?? {};
  let value: string | undefined;
  for (const sent in headers) {
    if (sent.length !== wanted.length || sent.toLowerCase() !== wanted) continue;
    for (const next of headers[sent] ?? []) value = value === undefined ? next : `${value}, ${next}`;
  }
  return value;
}

/**
 * The id of this request: the gateway's, when it is a UUID that the client cannot have chosen (API Gateway lets
 * a header override it), else a new one.
 */
export function readRequestId(event: GatewayEvent): string {
  const id = event.requestContext.requestId;
  if (!UUID.test(id)) return randomUUID();
  const wanted = id.toLowerCase();
  const headers = event.multiValueHeaders ?? {};
  for (const name in headers)
    for (const value of headers[name] ?? [])
      if (value.length >= id.length && value.toLowerCase().includes(wanted)) return randomUUID();
  return id;
}

/**
 * The address that the client reaches the service at, without a slash at its end: the portal's where the request came through it, else the
 * gateway's with its stage. A client that sends the header itself changes its own response only.
 */
function readBase(event: GatewayEvent): string {
  const viewerHost = readHeader(event, VIEWER_HOST);
  if (viewerHost !== undefined && /^[\w.-]{1,253}$/.test(viewerHost)) return `https://${viewerHost}`;
  const { domainName = '', path = '' } = event.requestContext;
  // API Gateway always states the scheme; one machine has no TLS.
  const scheme = readHeader(event, 'x-forwarded-proto') === 'https' ? 'https' : 'http';
  const stage = path.endsWith(event.path) ? path.slice(0, -event.path.length) : '';
  return `${scheme}://${domainName}${stage}`;
}

// Parameter names with a typing error.

/** Number of characters that both texts begin with. */
function sharedStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((character, i) => character !== b[i]);
  return end === -1 ? a.length : end;
}

/** Without case and separators: `asOf` and `as-of` are `as_of`. */
const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/**
 * Whether `sent`, which is not `known`, differs from it by case and separators only or by one edit: a character that is inserted, left
 * out, replaced, or exchanged with its neighbour. (Levenshtein's distance counts an exchange as two edits.)
 */
function isMisspelling(sent: string, known: string): boolean {
  if (plain(sent) === plain(known)) return true;
  const [a, b] = [[...sent], [...known]];
  const start = sharedStart(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  // One edit lies between the common start and the common end of the two.
  const end = sharedStart(restA.toReversed(), restB.toReversed());
  const [editA, editB] = [restA, restB].map((rest) => rest.slice(0, rest.length - end)) as [
    string[],
    string[],
  ];
  if (editA.length <= 1 && editB.length <= 1) return true;
  return editA.length === 2 && editA.toReversed().join('') === editB.join('');
}

export interface ReadParameters {
  readonly path: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The address that the service is reached at, without a slash at its end; only where the response states addresses. */
  readonly base?: string;
}

const BROKEN_ESCAPE = /%(?![0-9A-Fa-f]{2})/;

const unreadable = (): ApiError =>
  new ApiError(
    'bad_request',
    'The URL has a percent sign without a valid escape, or bytes that are not UTF-8.',
    {
      hint: 'Write text as UTF-8 and a percent sign as %25; in an escape, two hexadecimal digits follow it.',
    },
  );

/** The replacement character, which a decoder puts in place of bytes that are not UTF-8. */
const NOT_TEXT = '\uFFFD';

/** The gateway decodes queries: a value that still has a broken escape or a replacement character was never decodable. */
function refuseUnreadable(value: string): void {
  if (BROKEN_ESCAPE.test(value) || value.includes(NOT_TEXT)) throw unreadable();
}

/** The values of the path's own parameters; REST APIs of API Gateway pass paths on undecoded. */
function decodedPath(route: Route, event: GatewayEvent): Record<string, string> {
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
    hint: parameter.hintFor?.(value, tryThis) ?? tryThis(),
  });
}

/** A hint that names a working request to the same resource, with the path's own values where they are valid. */
function workingRequest(route: Route, path: Readonly<Record<string, string>>): string {
  const good = Object.entries(path).filter(
    ([name, value]) => route.path[name]?.schema.safeParse(value).success,
  );
  return `Try GET ${exampleRequest(route, Object.fromEntries(good))}`;
}

/** Throws for one of the parameters that the route lacks if it chooses rows elsewhere. Health refuses nothing. */
function refuseSibling(route: Route, lacking: readonly string[], tryThis: () => string): void {
  const sibling = lacking.find((name) => Object.hasOwn(ROW_PARAMETERS, name));
  if (!route.authenticated || sibling === undefined) return;
  const paths = ROW_PARAMETERS[sibling] ?? [];
  throw new ApiError('validation_failed', `${sibling} is not a parameter of this resource.`, {
    hint: `Only ${paths.join(', ')} ${paths.length === 1 ? 'takes' : 'take'} it. ${tryThis()}`,
  });
}

/** Shorter names are cache busters (`t`, `ts`) and the like; each is one edit from some documented name. */
const MIN_MISSPELT_LENGTH = 3;

/** An ignored parameter changes the data that a caller gets. The name is not repeated: it may have any character. */
function refuseMisspelt(route: Route, lacking: readonly string[]): void {
  const unknown = lacking.filter((name) => name.length >= MIN_MISSPELT_LENGTH);
  const meant = Object.keys(route.query).find((name) => unknown.some((other) => isMisspelling(other, name)));
  if (meant !== undefined)
    throw new ApiError('validation_failed', 'The name of a parameter is misspelt.', {
      hint: `Did you mean ${meant}?`,
    });
}

/** API Gateway also routes a path with a slash at its end to the resource; the contract has no such path. */
function refuseExtraSlash({ path }: GatewayEvent): void {
  const { message, hint } = GATEWAY_ERRORS.MISSING_AUTHENTICATION_TOKEN;
  if (/\/\/|.\/$/.test(path)) throw new ApiError('not_found', message, { hint });
}

/** Throws `not_found` at a path that is not written as the contract has it, `bad_request`, `conflict` or `validation_failed`. */
export function readParameters(route: Route, event: GatewayEvent): ReadParameters {
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

  const lacking = Object.keys(sentQuery).filter((name) => !Object.hasOwn(route.query, name));
  if (lacking.length > 0) {
    refuseSibling(route, lacking, () => workingRequest(route, sentPath));
    refuseMisspelt(route, lacking);
  }
  const path: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(route.path))
    path[name] = check(name, parameter, sentPath[name] ?? '', () => workingRequest(route, {}));

  const wanted = requiredParameter(route);
  if (wanted !== undefined && rivals.length === 0)
    throw new ApiError('validation_failed', `${wanted} is missing: it ${route.query[wanted]?.rule}.`, {
      hint: workingRequest(route, sentPath),
    });
  const query: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(route.query)) {
    const values = sentQuery[name] ?? [];
    if (values.length > 1)
      throw new ApiError('validation_failed', `${name} is given ${values.length} times.`, {
        hint: `Give it once. ${workingRequest(route, sentPath)}`,
      });
    const [value] = values;
    query[name] =
      value === undefined
        ? parameter.default
        : check(name, parameter, value, () => workingRequest(route, sentPath));
  }
  return { path, query, ...(route.feedOf && { base: readBase(event) }) };
}
