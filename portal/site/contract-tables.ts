/** Tables from the contract: the data dictionary (every field and parameter), the errors and the plans. */
import * as z from 'zod/mini';
import { ApiError, ERROR_CODES, ERRORS, type ErrorCode, toEnvelope } from '../../core/contracts/errors.ts';
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/route.ts';
import { csvHeader, requiredParameter } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { GATEWAY_ERRORS, type GatewayError } from '../../core/http/gateway-errors.ts';
import { markdownTable } from './markdown.ts';

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly const?: unknown;
  readonly description?: string;
  readonly example?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  /** A value or null. */
  readonly anyOf?: readonly JsonSchema[];
}

/** Bounds this far out only keep a number finite. */
const NO_BOUND = 100_000;

function typeText({ type, enum: members, const: only, minimum, maximum, items, anyOf }: JsonSchema): string {
  if (anyOf) return anyOf.map(typeText).join(' or ');
  if (only !== undefined) return `\`${String(only)}\``;
  if (members) return members.map((member) => `\`${member}\``).join(', ');
  if (type === 'array') return `list of ${items?.type ?? 'values'}`;
  const bounded = minimum !== undefined && maximum !== undefined && Math.abs(maximum) < NO_BOUND;
  return bounded ? `${type}, ${minimum} to ${maximum}` : String(type);
}

const exampleText = ({ example }: JsonSchema): string =>
  example === undefined ? '' : `\`${String(example)}\``;

/** Rows of `schema`, fields of an object within it with a dot. */
function fieldRows(schema: JsonSchema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const always = schema.required?.includes(name) ?? false;
    const row = [
      `\`${prefix}${name}\``,
      typeText(field),
      always ? 'always' : 'when known',
      field.description ?? field.anyOf?.[0]?.description ?? '',
      exampleText(field.anyOf?.[0] ?? field),
    ];
    return [row, ...(field.properties ? fieldRows(field, `${prefix}${name}.`) : [])];
  });
}

function parameterRows(route: Route): string[][] {
  const rowsOf = (place: 'path' | 'query'): string[][] =>
    Object.entries(route[place]).map(([name, { schema, rule, description, default: fallback }]) => {
      const { enum: choices } = z.toJSONSchema(schema, { io: 'input' });
      const choice =
        fallback !== undefined && choices?.find((value) => z.safeParse(schema, value).data === fallback);
      const isExclusive = requiredParameter(route) !== undefined && route.exclusive?.includes(name);
      const given = isExclusive
        ? `exactly one of ${route.exclusive?.join(', ')}`
        : `default \`${choice || 'none'}\``;
      const allowed = choices?.map((value) => `\`${value}\``).join(', ') ?? rule;
      return [`\`${name}\``, place, allowed, place === 'path' ? 'required' : given, description];
    });
  return [...rowsOf('path'), ...rowsOf('query')];
}

function section(operation: OperationId): string {
  const route: Route = ROUTES[operation];
  const schema = z.toJSONSchema(route.response) as JsonSchema;
  const record = schema.items ?? schema;
  const aliases = route.paths.slice(1).map((path) => `\`${path}\``);
  const parameters = parameterRows(route);
  const columns = csvHeader(route);
  return [
    `## ${route.summary}`,
    `\`GET ${route.paths[0]}\`${aliases.length > 0 ? `, alias ${aliases.join(', ')}` : ''}${route.authenticated ? '' : '; needs no key'}`,
    ...(schema.type === 'array' && schema.description ? [schema.description] : []),
    ...(parameters.length > 0
      ? [markdownTable(['Parameter', 'In', 'Allowed', 'Given', 'Meaning'], parameters)]
      : []),
    markdownTable(['Field', 'Type', 'Present', 'Meaning', 'Example'], fieldRows(record)),
    ...(columns === undefined ? [] : [`CSV header: \`${columns.join(',')}\``]),
  ].join('\n\n');
}

export const dataDictionary = (): string => OPERATION_IDS.map(section).join('\n\n');

/** What a program should do with each code. */
const ADVICE: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Do not retry. Correct the request.',
  auth_missing: 'Do not retry. Send the header `X-API-Key`.',
  auth_invalid: 'Do not retry. Check the key, and that it belongs to this stage.',
  auth_forbidden: 'Do not retry. Ask the operator about the key or its plan.',
  not_found: 'Do not retry. Check the path; `GET /v1/ports` lists the ports.',
  conflict: 'Do not retry. Leave one of the parameters out.',
  validation_failed: 'Do not retry. `message` names the parameter, `hint` a request that works.',
  rate_limited: 'Retry after the seconds in `Retry-After`, not sooner.',
  internal_error: 'Retry after 1, 2, 4, 8 s with 20 % jitter. If the error persists, report `request_id`.',
  upstream_error:
    'Retry, after the seconds in `Retry-After` where it is given, else after 1, 2, 4, 8 s with 20 % jitter.',
};

function errorSection(code: ErrorCode): string {
  const { statuses, meaning } = ERRORS[code];
  const examples = Object.values<GatewayError>(GATEWAY_ERRORS).filter((error) => error.code === code);
  const rows = [...new Map(examples.map(({ message, hint = '' }) => [message, hint]))];
  return [
    `## \`${code}\``,
    `Status ${statuses.join(', ')}. ${meaning}`,
    ADVICE[code],
    ...(rows.length > 0 ? [markdownTable(['Message of the gateway', 'Hint'], rows)] : []),
  ].join('\n\n');
}

export function errorExample(): string {
  const { code, message, hint } = GATEWAY_ERRORS.UNAUTHORIZED;
  const body = toEnvelope(new ApiError(code, message, { hint }), '6f9d2a34-7a0f-4b57-9a3e-0d1c5b8e7f21');
  return `\`\`\`json\n${JSON.stringify(body, null, 2)}\n\`\`\``;
}

export const errorTable = (): string =>
  markdownTable(
    ['Code', 'Status', 'Meaning'],
    ERROR_CODES.map((code) => [
      `[\`${code}\`](errors.md#${code})`,
      ERRORS[code].statuses.join(', '),
      ERRORS[code].meaning,
    ]),
  );

export const errorSections = (): string => ERROR_CODES.map(errorSection).join('\n\n');

const SECONDS_PER_MINUTE = 60;

function endpoints(tier: Tier): string {
  const routes: readonly Route[] = OPERATION_IDS.map((id) => ROUTES[id]);
  const excluded = routes.filter(({ excludedPlans }) => excludedPlans?.includes(tier));
  return excluded.length === 0
    ? 'all'
    : `all but ${excluded.map(({ paths }) => `\`${paths[0]}\``).join(', ')}`;
}

export const planTable = (): string =>
  markdownTable(
    ['Plan', 'Requests a minute', 'Burst', 'Requests a month', 'Endpoints'],
    TIERS.map((tier) => [
      PLANS[tier].title,
      String(PLANS[tier].ratePerSecond * SECONDS_PER_MINUTE),
      String(PLANS[tier].burst),
      PLANS[tier].monthlyQuota.toLocaleString('en-US'),
      endpoints(tier),
    ]),
  );
