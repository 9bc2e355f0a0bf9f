/** The OpenAPI document: complete over the route table, examples true to their schemas, errors true to the table. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { ERRORS, type ErrorCode } from '../../../core/contracts/errors.ts';
import { documentOf } from '../../../core/contracts/openapi/document.ts';
import { plainDocument, postmanCollection } from '../../../core/contracts/openapi/other-forms.ts';
import type { Route } from '../../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../../../core/contracts/routes.ts';
import { currentDocument } from '../../../tools/openapi/document.ts';
import { findFaults } from '../../../tools/openapi/faults.ts';

const document = await currentDocument();
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema(document, 'document');

type Node = Record<string, unknown>;
const at = (path: string) => document.paths[path]?.get;

/** Every object below `node` that has the key `key`. */
function having(key: string, node: unknown): Node[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap((child) => having(key, child));
  return key in node ? [node as Node, ...below] : below;
}

/** The same node with its references made to point into the document that ajv knows. */
const absolute = (schema: unknown): Node =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as Node;

const faults = new Map(
  await Promise.all(OPERATION_IDS.map(async (id) => [id, await findFaults(id)] as const)),
);

describe('paths', () => {
  it('has one operation for every path and alias of the route table, and no other', () => {
    const paths = OPERATION_IDS.flatMap((id) => [...ROUTES[id].paths]);
    expect(Object.keys(document.paths).sort()).toEqual([...paths].sort());
    const ids = Object.values(document.paths).map(({ get }) => get?.operationId);
    expect(new Set(ids).size).toBe(paths.length);
  });

  it('describes every parameter of the route table with an example that is allowed', () => {
    for (const id of OPERATION_IDS) {
      const route: Route = ROUTES[id];
      const own = (at(route.paths[0])?.parameters ?? []).filter((p) => 'name' in p) as Node[];
      expect(own.map(({ name }) => name)).toEqual([...Object.keys(route.path), ...Object.keys(route.query)]);
      for (const { schema, example } of own) {
        expect(ajv.validate(schema as Node, example)).toBe(true);
      }
    }
  });
});

describe('generators', () => {
  it('see open records: a field may be added without a new version', () => {
    expect(JSON.stringify(document)).not.toContain('additionalProperties');
  });

  it('see no pattern beside a format, and the width of every number', () => {
    const formatted = having('format', document);
    expect(formatted.length).toBeGreaterThan(100);
    expect(formatted.filter((schema) => 'pattern' in schema)).toEqual([]);
    const numbers = having('type', document).filter(({ type }) =>
      [type].flat().some((t) => t === 'number' || t === 'integer'),
    );
    expect(numbers.filter(({ format }) => format === undefined)).toEqual([]);
  });

  it('see one model of an error, and CSV as text', () => {
    const errors = having('examples', document.paths).filter(({ schema }) => schema !== undefined);
    expect(errors.length).toBeGreaterThan(20);
    for (const { schema } of errors) expect(schema).toEqual({ $ref: '#/components/schemas/ErrorEnvelope' });
    const csv = having('text/csv', document).map((node) => node['text/csv'] as Node);
    for (const { schema } of csv) expect(schema).toMatchObject({ type: 'string' });
  });
});

describe.each(['application/json', 'text/csv'] as const)('the document of %s', (mediaType) => {
  const { paths } = documentOf(document, mediaType);

  it('has every operation of that type, with one form of a good response', () => {
    const forms = Object.entries(paths).map(([path, { get }]) => {
      expect(get?.responses).toMatchObject({ 200: { content: { [mediaType]: expect.anything() } } });
      expect(
        having(
          mediaType === 'text/csv' ? 'application/json' : 'text/csv',
          (get?.responses as Node | undefined)?.[200],
        ),
      ).toEqual([]);
      return path;
    });
    const whole = Object.entries(document.paths).filter(([, { get }]) =>
      JSON.stringify(get?.responses).includes(`"${mediaType}":`),
    );
    expect(forms).toEqual(whole.map(([path]) => path));
  });

  it('leaves no choice of the format', () => {
    const formats = Object.values(paths).flatMap(({ get }) =>
      ((get?.parameters ?? []) as Node[]).filter(({ name }) => name === 'format'),
    );
    expect(formats).toHaveLength(mediaType === 'text/csv' ? Object.keys(paths).length : 0);
    for (const { schema, required } of formats)
      expect([required, schema]).toEqual([true, { type: 'string', enum: ['csv'], default: 'csv' }]);
  });
});

describe('the plain document', () => {
  const plain = plainDocument(document);

  it('is OpenAPI 3.0: no null type, no constant, no list of types, no choice', () => {
    expect(plain.openapi).toBe('3.0.3');
    const text = JSON.stringify({ ...plain, info: {} });
    for (const keyword of ['"null"', '"const":', '"anyOf":', '"type":[']) expect(text).not.toContain(keyword);
    expect(plain.components.schemas?.PortForecast).toMatchObject({
      properties: { skill: { nullable: true, allOf: [{ $ref: '#/components/schemas/ForecastSkill' }] } },
    });
  });

  it('has of parameters that exclude each other the first, required where one must be given', () => {
    const named = (path: string) =>
      ((plain.paths[path]?.get?.parameters ?? []) as Node[])
        .filter(({ name }) => name === 'window' || name === 'days')
        .map(({ name, required, description }) => [name, required, String(description).includes('Excludes')]);
    expect(named('/v1/ports/{UNLOCODE}/trend')).toEqual([['window', true, false]]);
    expect(named('/v1/ports/{UNLOCODE}/dwell')).toEqual([['window', false, false]]);
  });

  it('gives the Postman collection a request for every operation, with the key and without optional parameters', () => {
    const { item, variable } = postmanCollection(plain, 'pcd_dev_x') as { item: Node[]; variable: unknown };
    expect(variable).toEqual([
      { key: 'baseUrl', value: 'http://127.0.0.1:3000' },
      { key: 'apiKey', value: 'pcd_dev_x' },
    ]);
    const requests = having('request', item).map(({ request }) => request as Node & { url: Node });
    expect(requests).toHaveLength(Object.keys(document.paths).length);
    const sent = requests.flatMap(({ url }) =>
      (url.query as Node[])
        .filter(({ disabled }) => !disabled)
        .map(({ key, value }) => `${url.raw} ${key}=${value}`),
    );
    expect(sent).toEqual(['{{baseUrl}}/v1/ports/:UNLOCODE/trend window=30d']);
  });
});

describe('statuses', () => {
  it('shows every code of the table at every status of it', () => {
    const shown = new Set([...faults.values()].flat().map(({ error }) => `${error.status} ${error.code}`));
    const table = (Object.keys(ERRORS) as ErrorCode[]).flatMap((code) =>
      ERRORS[code].statuses.map((status) => `${status} ${code}`),
    );
    expect([...shown].sort()).toEqual(table.sort());
  });

  it('gives every 4xx a hint, and every example a name of its own', () => {
    for (const list of faults.values()) {
      const names = list.map(({ name, error }) => `${error.status} ${name}`);
      expect(new Set(names).size).toBe(names.length);
      for (const { error } of list.filter((fault) => fault.error.status < 500))
        expect(error.hint).toMatch(/\S/);
    }
  });
});

describe('examples', () => {
  const contents = having('schema', document).filter((node) => 'example' in node || 'examples' in node);

  it('are all valid against their schemas', () => {
    expect(contents.length).toBeGreaterThan(60);
    for (const { schema, example, examples } of contents) {
      const validate = ajv.compile(absolute(schema));
      const values = examples
        ? Object.values(examples as Record<string, Node>).map(({ value }) => value)
        : [example];
      for (const value of values) {
        const ok = validate(value);
        expect({ value, errors: ok ? null : validate.errors }).toEqual({ value, errors: null });
      }
    }
  });

  it('are valid against the schemas of properties too', () => {
    const schemas = having('examples', document.components.schemas);
    expect(schemas.length).toBeGreaterThan(20);
    for (const { examples, ...schema } of schemas)
      for (const example of examples as unknown[]) expect(ajv.validate(absolute(schema), example)).toBe(true);
  });

  it('are refused when they are wrong: the check can fail', () => {
    const schema = { $ref: 'document#/components/schemas/Snapshot' };
    expect(ajv.validate(schema, { port: 'uslax' })).toBe(false);
  });

  it('write CSV as the service does', () => {
    const csv = having('text/csv', document).map((node) => node['text/csv']);
    expect(csv).toHaveLength(11);
    const examples = csv.map((node) => (node as Node).example);
    expect(examples).toContain(
      'date,congestion_score,avg_wait_hours,vessels\n2025-10-02,0.153,4.8,151\n2025-10-03,0.157,5.8,155\n2025-10-04,0.153,6.8,138\n',
    );
  });
});

it('has no dangling reference, and no unused definition', () => {
  const text = JSON.stringify(document);
  const referred = new Set([...text.matchAll(/"#\/components\/([^"]+)"/g)].map(([, path]) => path));
  const defined = Object.entries(document.components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, parts]) => Object.keys(parts).map((name) => `${kind}/${name}`));
  expect([...referred].sort()).toEqual(defined.sort());
});

it('is the one in the repository', () => {
  const file = new URL('../../../docs/openapi.json', import.meta.url);
  expect(document).toEqual(JSON.parse(readFileSync(file, 'utf8')));
});
