// A week of a port as CSV, twice: the client sends the ETag of the first response and gets a 304 for the second.
import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
  onResponse: ({ status }) => console.log(`status ${status}`),
});

const week = { UNLOCODE: 'HKHKG', window: '7d', format: 'csv' } as const;
const csv = await client.get('trend', week);
console.log(csv.trimEnd());
const again = await client.get('trend', week);
console.log(again === csv ? 'the same' : 'another');
