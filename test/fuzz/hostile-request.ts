/** Requests made from the contract: valid, near-valid and hostile, as a method, a target and header lines. */
import fc, { type Arbitrary } from 'fast-check';
import { KEY_HEADER } from '../../core/contracts/headers.ts';
import type { Parameter } from '../../core/contracts/parameters.ts';
import { requiredOf } from '../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { hostileText, nearlyValid, percentEncoded, written } from './hostile-text.ts';

export interface HostileRequest {
  readonly method: string;
  /** Path and query as they stand in the request line. */
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** Input for requests, in addition to the contract. */
export interface Vocabulary {
  /** Values that work, by parameter: such as covered ports. The contract's examples are always among them. */
  readonly known: Readonly<Record<string, readonly string[]>>;
  /** Secrets of keys in all states, the quiet one first. */
  readonly keys: readonly [string, ...string[]];
}

const ID = '3b241101-e2bb-4255-8caf-4136c566a962';

/** `good` in so many of ten cases. */
const mostly = <T>(tenths: number, good: Arbitrary<T>, bad: Arbitrary<T>): Arbitrary<T> =>
  fc.oneof({ weight: tenths, arbitrary: good }, { weight: 10 - tenths, arbitrary: bad });

function value(
  name: string,
  parameter: Parameter<unknown> | undefined,
  words: Vocabulary,
): Arbitrary<string> {
  const example = parameter?.example ?? 'x';
  const valid = fc.constantFrom(example, ...(words.known[name] ?? []));
  return fc.oneof(
    { weight: 12, arbitrary: valid.map(percentEncoded) },
    { weight: 2, arbitrary: written(nearlyValid(example)) },
    { weight: 2, arbitrary: written(hostileText) },
  );
}

const UNKNOWN_NAMES = [
  'foo',
  'Window',
  'window[]',
  'window%5B%5D',
  '__proto__',
  'constructor',
  'api_key',
  '',
  '%00',
  '%zz',
];

/** One `name=value`, `name` alone, or one of the stray forms in which queries arrive. */
function queryPart(route: Route, words: Vocabulary): Arbitrary<string> {
  const names = Object.keys(route.query);
  const known = names.map((name) => value(name, route.query[name], words).map((text) => `${name}=${text}`));
  const unknown = fc
    .tuple(fc.constantFrom(...UNKNOWN_NAMES), written(hostileText))
    .map(([name, text]) => `${name}=${text}`);
  const stray = fc.constantFrom(
    '&',
    '=',
    '==',
    '?',
    'window',
    'days',
    'format',
    '#',
    '/../',
    '%26window=7d',
    ';window=7d',
  );
  return fc.oneof(
    ...known.map((arbitrary) => ({ weight: 4, arbitrary })),
    { weight: 1, arbitrary: unknown },
    { weight: 1, arbitrary: stray },
  );
}

const spoilPath = (path: string): Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom(
      `${path}/`,
      `/${path}`,
      path.toUpperCase(),
      path.replace('/v1', '/v1/.'),
      path.replace('/v1', '/v1/..'),
      path.replace('/v1', '/v1/%2e%2e'),
      path.replace('/v1', '/v2'),
      path.replace('/v1', ''),
      path.replaceAll('/', '%2F'),
      path.replaceAll('/', '\\'),
      path.replace('v', '%76'),
      path.slice(0, -1),
      `${path};x=1`,
      `${path}#x`,
      `${path}%00`,
      `http://127.0.0.1${path}`,
      `http://user@[::1]:99999${path}`,
      '*',
      '/',
      '//',
      '',
    ),
    written(hostileText).map((text) => `${path}/${text}`),
    written(hostileText).map((text) => `/${text}`),
  );

function target(route: Route, words: Vocabulary): Arbitrary<string> {
  const names = Object.keys(route.path);
  const path = fc
    .tuple(
      fc.constantFrom(...route.paths),
      fc.tuple(...names.map((name) => value(name, route.path[name], words))),
    )
    .map(([template, values]) =>
      names.reduce((filled, name, at) => filled.replace(`{${name}}`, () => values[at] ?? ''), template),
    );
  const needed = requiredOf(route);
  const required =
    needed === undefined
      ? fc.constant<string[]>([])
      : mostly(8, fc.constant<string[]>([`${needed}=7d`]), fc.constant<string[]>([]));
  const query = fc
    .tuple(required, fc.array(queryPart(route, words), { maxLength: 3 }))
    .map(([first, rest]) => [...first, ...rest].join('&'));
  return fc
    .tuple(mostly(9, path, path.chain(spoilPath)), query)
    .map(([sent, parts]) => (parts === '' ? sent : `${sent}?${parts}`));
}

type Header = HostileRequest['headers'][number];
const one = (name: string, text: Arbitrary<string>): Arbitrary<Header[]> =>
  text.map((sent) => [[name, sent]]);

const keyLines = ({ keys: [quiet, ...others] }: Vocabulary): Arbitrary<Header[]> =>
  fc.oneof(
    { weight: 14, arbitrary: one(KEY_HEADER, fc.constant(quiet)) },
    { weight: 3, arbitrary: one(KEY_HEADER.toLowerCase(), fc.constantFrom(quiet, ...others)) },
    { weight: 1, arbitrary: fc.constant<Header[]>([]) },
    { weight: 1, arbitrary: one(KEY_HEADER, fc.oneof(hostileText, nearlyValid(quiet))) },
    {
      weight: 1,
      arbitrary: fc.constant([
        [KEY_HEADER, quiet],
        ['x-api-key', others[0] ?? ''],
      ] as Header[]),
    },
  );

const TAGS = [
  '*',
  '"x"',
  'W/"x"',
  'W/',
  '"',
  '"a", W/"b", *',
  '""',
  '"a"b"c"',
  ',,,,',
  `"${'a'.repeat(4000)}"`,
];
const oddLines: Arbitrary<Header[]> = fc.oneof(
  one('If-None-Match', fc.oneof(fc.constantFrom(...TAGS), hostileText)),
  one(
    'x-request-id',
    fc.oneof(fc.constantFrom(ID, ID.toUpperCase(), `${ID}, ${ID}`, `{${ID}}`), hostileText),
  ),
  one('x-amzn-requestid', fc.constant(ID)),
  one(
    'Origin',
    fc.oneof(
      fc.constantFrom('null', 'https://a.example', 'https://a.example, https://b.example'),
      hostileText,
    ),
  ),
  one('Accept', fc.oneof(fc.constantFrom('text/csv', 'image/png', '*/*;q=2'), hostileText)),
  one('User-Agent', hostileText),
  one('Range', fc.constantFrom('bytes=0-0', 'bytes=5-1')),
  one('X-Forwarded-For', hostileText),
  one('X-HTTP-Method-Override', fc.constantFrom('DELETE', 'POST')),
  one('Host', fc.oneof(fc.constantFrom('', 'evil.example', 'a b'), hostileText)),
  one('__proto__', hostileText),
  one('constructor', hostileText),
  fc
    .tuple(fc.constantFrom(3, 60, 300), hostileText)
    .map(([count, text]) =>
      Array.from({ length: count }, (_, at): Header => [`X-Flood-${at}`, text.slice(0, 40)]),
    ),
  fc.constant([['Cookie', 'c'.repeat(9000)]] as Header[]),
);

const METHODS = [
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'PROPFIND',
  'get',
  'GETT',
  'G T',
  '',
] as const;

/** A request that may be good, nearly good or meant to break something. */
export function hostileRequest(words: Vocabulary): Arbitrary<HostileRequest> {
  const targets = fc.oneof(...OPERATION_IDS.map((id) => target(ROUTES[id], words)));
  const headers = fc
    .tuple(keyLines(words), fc.array(oddLines, { maxLength: 2 }))
    .map(([first, others]) => [...first, ...others.flat()]);
  const method = fc.oneof(
    { weight: 16, arbitrary: fc.constant('GET') },
    { weight: 2, arbitrary: fc.constant('HEAD') },
    { weight: 1, arbitrary: fc.constantFrom(...METHODS) },
  );
  return fc.record({ method, target: targets, headers });
}
