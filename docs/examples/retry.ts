// The client retries by itself. Handle errors that remain after the last retry, and your own time limit.
import { PortCongestionClient, PortCongestionError } from 'port-congestion-client';

const client = new PortCongestionClient({
  baseUrl: process.env.BASE_URL ?? 'http://127.0.0.1:3000',
  apiKey: process.env.PCD_API_KEY ?? 'pcd_dev_demo000000000000000000000000000000',
  maxRetries: 3,
});

try {
  const sources = await client.get('sources', {}, { signal: AbortSignal.timeout(60_000) });
  for (const { source } of sources) console.log(source);
} catch (error) {
  if (!(error instanceof PortCongestionError)) throw error;
  console.error(`${error.code}: ${error.message}`, error.requestId ?? '');
  process.exitCode = 1;
}
