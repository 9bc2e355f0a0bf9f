// Alerts of a port in the last 30 days, newest first, and how many of these days have figures: no alert is not the same
// as no data. USLAX is a port of the sample data.
import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const alerts = await client.get('alerts', { UNLOCODE: 'USLAX', window: '30d' });
const days = await client.get('trend', { UNLOCODE: 'USLAX', window: '30d' });
for (const { as_of, severity, explain } of alerts) console.log(`${as_of} ${severity}: ${explain}`);
console.log(`${alerts.length} alerts, ${days.length} days with figures`);
