/** The Postman collection: one request for every operation, that works as it stands but for the key. */
import { expect, it } from '@jest/globals';
import { currentDocument } from '../../../../bin/openapi/document.ts';
import { postmanCollection } from '../../../../bin/openapi/postman.ts';

interface Item {
  name: string;
  request: {
    method: string;
    auth?: { type: string };
    url: {
      raw: string;
      path: string[];
      query?: { key: string; disabled?: true }[];
      variable: { key: string; value: string }[];
    };
  };
  response: { code: number; body: string; originalRequest: object }[];
}
const document = await currentDocument();
const collection = postmanCollection(document) as {
  info: { schema: string };
  item: { name: string; item: Item[] }[];
  auth: { apikey: { key: string; value: string }[] };
};
const items = collection.item.flatMap(({ item }) => item);
const called = (name: string): Item => {
  const found = items.find((item) => item.request.url.raw.includes(name));
  if (found === undefined) throw new Error(`no request of ${name}`);
  return found;
};

it('has every path of the document once', () => {
  const paths = items.map(({ request }) => `/${request.url.path.join('/')}`.replaceAll(/:(\w+)/g, '{$1}'));
  expect(paths.sort()).toEqual(Object.keys(document.paths).sort());
  expect(items.every(({ request }) => request.method === 'GET')).toBe(true);
});

it('fills path variables and switches on one window, the rest off', () => {
  const { url } = called('/trend').request;
  expect(url.raw).toBe('{{baseUrl}}/v1/ports/:UNLOCODE/trend?window=30d');
  expect(url.variable).toEqual([expect.objectContaining({ key: 'UNLOCODE', value: 'HKHKG' })]);
  expect(url.query?.filter(({ disabled }) => !disabled).map(({ key }) => key)).toEqual(['window']);
});

it('sends the key in X-API-Key from a variable that is empty, and none to health', () => {
  expect(collection.auth.apikey).toContainEqual({ key: 'value', value: '{{apiKey}}', type: 'string' });
  expect(called('/health').request.auth).toEqual({ type: 'noauth' });
  expect(called('/snapshot').request).not.toHaveProperty('auth');
  expect(JSON.stringify(collection)).not.toMatch(/pcd_(dev|live)_\w{24}/);
});

it('keeps an answer for every status that has a body', () => {
  const { response } = called('/trend');
  expect(response.map(({ code }) => code)).toEqual([
    200, 200, 400, 401, 403, 404, 409, 422, 429, 500, 502, 503, 504,
  ]);
  for (const { body } of response.slice(2))
    expect(JSON.parse(body)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
});
