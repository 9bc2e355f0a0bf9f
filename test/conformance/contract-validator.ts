/** Checks every response against docs/openapi.json, and counts the documented statuses that have been seen. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import {
  contractDocument,
  type DocumentedHeader,
  type DocumentedResponse,
  follow,
  operationAt,
  pointer,
  templateOf,
} from './contract-document.ts';

export interface Exchange {
  readonly method: string;
  /** Path template of the document; undefined for a path that is in no template. */
  readonly template: string | undefined;
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Violations = readonly string[];

const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true });
formats.default(ajv);
/** The document with closed records: clients must take fields that are added, but none may be added unnoticed. */
const closed = structuredClone(contractDocument) as unknown as {
  components: { schemas: Record<string, object> };
};
function close(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  if ('properties' in node) Object.assign(node, { additionalProperties: false });
  for (const inner of Object.values(node)) close(inner);
}
close(closed.components.schemas);
ajv.addSchema(closed, 'contract');
const compiled = new Map<string, ValidateFunction>();
const seen = new Set<string>();

/** Faults of `value` under the schema at `steps`. */
function faultsOf(what: string, value: unknown, steps: readonly string[]): Violations {
  const id = `contract${pointer(...steps)}`;
  const validate = compiled.get(id) ?? ajv.compile({ $ref: id });
  compiled.set(id, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${what}${instancePath} ${message ?? 'is wrong'}`,
  );
}

function headerFaults(exchange: Exchange, response: DocumentedResponse): Violations {
  return Object.keys(response.headers ?? {}).flatMap((name) => {
    const { node, steps } = follow(
      ((response.headers?.[name] as { $ref?: string } | undefined)?.$ref ?? '#/').slice(2).split('/'),
    );
    const { required, schema } = node as DocumentedHeader;
    const value = exchange.headers[name.toLowerCase()];
    if (value === undefined) return required === true ? [`the header ${name} is missing`] : [];
    const whole = schema.type === 'integer' && /^\d+$/.test(value);
    return faultsOf(`header ${name}`, whole ? Number(value) : value, [...steps, 'schema']);
  });
}

/** Rules for every error, documented with the operation or made by the gateway on any path. */
function errorFaults({ headers, body }: Exchange): Violations {
  if (headers['content-type'] !== 'application/json') return [`an error is ${headers['content-type']}`];
  const parsed = parse(body);
  if (parsed === undefined) return ['the body is not JSON'];
  const { request_id: id } = parsed.value as { request_id?: unknown };
  return [
    ...faultsOf('body', parsed.value, ['components', 'schemas', 'ErrorEnvelope']),
    ...(id === headers['x-request-id'] ? [] : ['request_id is not the x-request-id']),
    ...faultsOf('header x-request-id', headers['x-request-id'], [
      'components',
      'headers',
      'RequestId',
      'schema',
    ]),
  ];
}

function parse(body: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(body) };
  } catch {
    return undefined;
  }
}

/** The codes of an error response, from its examples. */
function documentedCodes({ content }: DocumentedResponse): readonly string[] {
  const json = content?.['application/json'] as { examples?: Record<string, { value: { code: string } }> };
  return Object.values(json?.examples ?? {}).map(({ value }) => value.code);
}

function bodyFaults(exchange: Exchange, response: DocumentedResponse, steps: readonly string[]): Violations {
  const { method, status, headers, body } = exchange;
  if (response.content === undefined || method === 'HEAD')
    return body === '' ? [] : [`a ${method === 'HEAD' ? 'HEAD' : status} has a body`];
  const type = headers['content-type'] ?? '';
  // The document names the media type, the service adds its charset.
  const [mediaType = ''] = type.split(';');
  if (!(mediaType in response.content))
    return [`content type ${type || 'missing'}, not ${Object.keys(response.content)}`];
  const schema = [...steps, 'content', mediaType, 'schema'];
  if (!mediaType.endsWith('json')) return faultsOf('body', body, schema);
  const parsed = parse(body);
  if (parsed === undefined) return ['the body is not JSON'];
  const codes = documentedCodes(response);
  const { code } = parsed.value as { code?: string };
  const wrongCode = codes.length > 0 && !codes.includes(code ?? '') ? [`code ${code}, not ${codes}`] : [];
  return [...wrongCode, ...faultsOf('body', parsed.value, schema)];
}

/** The violations of the contract in a response. HEAD is compared with GET. */
export function validateExchange(exchange: Exchange): Violations {
  const { method, template, status } = exchange;
  const reads = method === 'GET' || method === 'HEAD';
  const errors = status >= 400 && method !== 'HEAD' ? errorFaults(exchange) : [];
  const operation = template === undefined || !reads ? undefined : operationAt(template);
  if (template === undefined || operation === undefined)
    return status < 400 ? [`${status} where there is nothing`] : errors;
  if (operation.responses[status] === undefined) {
    // The gateway refuses what it cannot read on any path, before it looks at the operation.
    return status === 400 ? errors : [`status ${status} is not documented for ${template}`];
  }
  seen.add(`${template} ${status}`);
  const { node, steps } = follow(['paths', template, 'get', 'responses', String(status)]);
  const response = node as DocumentedResponse;
  return [...errors, ...headerFaults(exchange, response), ...bodyFaults(exchange, response, steps)];
}

/** The same for a request as it was sent and the reply as it came. */
export const violationsOf = (
  method: string,
  path: string,
  reply: { status: number; headers: Readonly<Record<string, string>>; text: string },
): Violations =>
  validateExchange({
    method,
    template: templateOf(path),
    status: reply.status,
    headers: reply.headers,
    body: reply.text,
  });

/** Begins the count of statuses again: suites of one process share it. */
export const forgetStatuses = (): void => seen.clear();

/** Documented statuses, as `<path template> <status>`, that were not seen since. */
export function unseenStatuses(): readonly string[] {
  return Object.entries(contractDocument.paths).flatMap(([template, { get }]) =>
    Object.keys(get.responses)
      .map((status) => `${template} ${status}`)
      .filter((entry) => !seen.has(entry)),
  );
}
