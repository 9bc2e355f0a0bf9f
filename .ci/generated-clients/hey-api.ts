/** JSON, CSV and an error through the client of @hey-api/openapi-ts. Arguments: base address, key. */
import assert from 'node:assert/strict';
import { client } from './generated/hey-api/client.gen.js';
import { snapshot, type TrendPoint, trend } from './generated/hey-api/index.js';

const [baseUrl = '', auth = ''] = process.argv.slice(2);
client.setConfig({ baseUrl, auth });
const path = { UNLOCODE: 'USLAX' };

const json = await trend({ path, query: { days: 7 } });
const points: TrendPoint[] | undefined = json.data;
assert.equal(points?.length, 7);
assert.equal(typeof points[0]?.congestion_score, 'number');

const csv = await trend({ path, query: { window: '7d', format: 'csv' }, parseAs: 'text' });
assert.match(String(csv.data), /^date,congestion_score,avg_wait_hours,vessels\n(?:[^\n]+\n){7}$/);

const wrong = await snapshot({ path: { UNLOCODE: 'uslax' } });
assert.deepEqual([wrong.error?.code, wrong.error?.hint], ['validation_failed', 'Did you mean USLAX?']);
console.log('@hey-api/openapi-ts: JSON, CSV and an error');
