// Starts the service once for all conformance tests that need no data of their own: the sample, on a free port. It is
// ingested while other suites run. With BASE_URL set, those tests go there instead, with keys from the environment.
import { mkdtempSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { register } from 'tsx/esm/api';

register();

export default async function setUp() {
  if (process.env.BASE_URL !== undefined) return;
  const { startSampleService } = await import('./sample-service.ts');
  const { url, filled, close } = await startSampleService();
  const outcome = join(mkdtempSync(join(tmpdir(), 'sample-service-')), 'outcome');
  const settle = (text) => {
    writeFileSync(`${outcome}.part`, text);
    renameSync(`${outcome}.part`, outcome);
  };
  filled.then(
    () => settle(''),
    (fault) => settle(String(fault.stack)),
  );
  process.env.LOCAL_SERVICE_URL = url;
  process.env.LOCAL_SERVICE_OUTCOME = outcome;
  globalThis.closeSampleService = close;
}
