// The state of a port now.
import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const { port, as_of, congestion_score, avg_wait_hours, vessels } = await client.get('snapshot', {
  UNLOCODE: 'HKHKG',
});
console.log(`${port} at ${as_of}`);
console.log(`score ${congestion_score}, mean wait ${avg_wait_hours} h`);
console.log(`${vessels.at_anchor} of ${vessels.in_port} vessels at anchor`);
