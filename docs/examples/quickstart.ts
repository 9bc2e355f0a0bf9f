// The state of a port now.
import { createClient } from 'port-congestion-client';

const client = createClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const { data, error } = await client.GET('/v1/ports/{UNLOCODE}/snapshot', {
  params: { path: { UNLOCODE: 'TWKHH' } },
});
if (error) throw new Error(`${error.code}: ${error.message} ${error.hint}`);
const { port, as_of, congestion_score, avg_wait_hours, vessels } = data;
console.log(`${port} at ${as_of}`);
console.log(`score ${congestion_score}, mean wait ${avg_wait_hours} h`);
console.log(`${vessels.at_anchor} of ${vessels.in_port} vessels at anchor`);
