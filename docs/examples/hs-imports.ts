// Import momentum of electrical machinery (HS chapter 85): 100 is the same three months a year before.
import { createClient } from 'port-congestion-client';

const client = createClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
});

const { data, error } = await client.GET('/v1/hs/{code}/imports', { params: { path: { code: '85' } } });
if (error) throw new Error(error.message);
for (const { month, index } of data) console.log(`${month} ${index}`);
