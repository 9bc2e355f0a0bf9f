// Alerts of a port in the 30 days up to `until`, newest first, and how many of these days have figures: no alert is not
// the same as no data.
import { createClient } from 'port-congestion-client';

const client = createClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const month = {
  params: { path: { UNLOCODE: 'TWKHH' }, query: { window: '30d', until: '2025-10-04' } },
} as const;
const { data: alerts, error } = await client.GET('/v1/ports/{UNLOCODE}/alerts', month);
if (error) throw new Error(error.message);
const { data: days } = await client.GET('/v1/ports/{UNLOCODE}/trend', month);
for (const { as_of, severity, explain } of alerts) console.log(`${as_of} ${severity}: ${explain}`);
console.log(`${alerts.length} alerts, ${days?.length} days with figures`);
