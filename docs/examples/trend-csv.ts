// A week of a port as CSV, twice: the client sends the ETag of the first response, gets a 304 and returns the same text.
import { createClient } from 'port-congestion-client';

const client = createClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const week = () =>
  client.GET('/v1/ports/{UNLOCODE}/trend', {
    params: { path: { UNLOCODE: 'TWKHH' }, query: { window: '7d', until: '2025-10-04', format: 'csv' } },
    parseAs: 'text',
  });
const { data: csv, error } = await week();
if (error) throw new Error(error.message);
console.log(csv.trimEnd());
const { data: again } = await week();
console.log(again === csv ? 'the same' : 'another');
