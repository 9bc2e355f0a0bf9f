// Starts the service once for all conformance tests that need no data of their own: the sample, on a free port.
// With BASE_URL set, those tests go there instead, with keys from the environment.
import { register } from 'tsx/esm/api';

register();

export default async function setUp() {
  if (process.env.BASE_URL !== undefined) return;
  const { startSampleService } = await import('./sample-service.ts');
  const { url, close } = await startSampleService();
  process.env.LOCAL_SERVICE_URL = url;
  globalThis.closeSampleService = close;
}
