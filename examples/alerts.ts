// Alerts of a port in the last 30 days, newest first. USLAX is a port of the sample data.
import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

for (const { as_of, severity, explain } of await client.alerts('USLAX', { window: '30d' }))
  console.log(`${as_of} ${severity}: ${explain}`);
