// Import momentum of electrical machinery (HS chapter 85): 100 is the same three months a year before.
import { PortCongestionClient } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

for (const { month, index } of await client.get('hsImports', { code: '85' }))
  console.log(`${month} ${index}`);
