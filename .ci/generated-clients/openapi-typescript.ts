/** JSON, CSV and an error through the types of openapi-typescript. Arguments: base address, key. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/openapi-typescript';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { 'X-API-Key': key } });
const path = { UNLOCODE: 'USLAX' };

const json = await client.GET('/v1/ports/{UNLOCODE}/trend', { params: { path, query: { days: 7 } } });
// The type is the union of the JSON and the CSV body.
assert.ok(Array.isArray(json.data));
const points: components['schemas']['TrendPoint'][] = json.data;
assert.equal(points.length, 7);
assert.equal(typeof points[0]?.congestion_score, 'number');

const csv = await client.GET('/v1/ports/{UNLOCODE}/trend', {
  params: { path, query: { window: '7d', format: 'csv' } },
  parseAs: 'text',
});
assert.match(String(csv.data), /^date,congestion_score,avg_wait_hours,vessels\n(?:[^\n]+\n){7}$/);

const wrong = await client.GET('/v1/ports/{UNLOCODE}/snapshot', { params: { path: { UNLOCODE: 'uslax' } } });
const envelope: components['schemas']['ErrorEnvelope'] | undefined = wrong.error;
assert.deepEqual([envelope?.code, envelope?.hint], ['validation_failed', 'Did you mean USLAX?']);
console.log('openapi-typescript: JSON, CSV and an error');
