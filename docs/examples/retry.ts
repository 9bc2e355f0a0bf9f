// The client retries by itself. Handle what remains after the last retry, and your own time limit.
import { createClient, PortCongestionError } from 'port-congestion-client';

const client = createClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
  maxRetries: 3,
});

try {
  const { data = [], error } = await client.GET('/v1/meta/sources', { signal: AbortSignal.timeout(60_000) });
  for (const { source } of data) console.log(source);
  if (error) console.error(`${error.code}: ${error.message}`, error.request_id);
  process.exitCode = error ? 1 : 0;
} catch (thrown) {
  // There is no response of the service.
  if (!(thrown instanceof PortCongestionError)) throw thrown;
  console.error(`${thrown.code}: ${thrown.message}`);
  process.exitCode = 1;
}
