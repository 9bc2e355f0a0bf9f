/** JSON, CSV and an error through the types of openapi-typescript. Arguments: base address, key. */
import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths as CsvPaths } from './generated/openapi-typescript-csv';
import type { components, paths } from './generated/openapi-typescript-json';

const [baseUrl = '', key = ''] = process.argv.slice(2);
const options = { baseUrl, headers: { 'X-API-Key': key } };
const client = createClient<paths>(options);
const path = { UNLOCODE: 'USLAX' };

const json = await client.GET('/v1/ports/{UNLOCODE}/trend', { params: { path, query: { days: 7 } } });
const points: components['schemas']['TrendPoint'][] = json.data ?? [];
assert.equal(points.length, 7);
assert.equal(typeof points[0]?.congestion_score, 'number');

const csv = await createClient<CsvPaths>(options).GET('/v1/ports/{UNLOCODE}/trend', {
  params: { path, query: { window: '7d', format: 'csv' } },
  parseAs: 'text',
});
const text: string = csv.data ?? '';
assert.match(text, /^date,congestion_score,avg_wait_hours,vessels\n(?:[^\n]+\n){7}$/);

const wrong = await client.GET('/v1/ports/{UNLOCODE}/snapshot', { params: { path: { UNLOCODE: 'uslax' } } });
const envelope: components['schemas']['ErrorEnvelope'] | undefined = wrong.error;
assert.deepEqual([envelope?.code, envelope?.hint], ['validation_failed', 'Did you mean USLAX?']);
console.log('openapi-typescript: JSON, CSV and an error');
