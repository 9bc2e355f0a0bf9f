/** The service on one machine with sample and portal: what the tests of the setup run against. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_INGEST } from '../../local/data-mode.ts';
import { startLocalService } from '../../local/local-service.ts';
import { buildPortal } from '../../portal/site/build.ts';
import { CONTACT } from './portal.ts';

/** The time at which the service starts, as in the README: what the sample shows does not depend on the day of a run. */
const NOW_AT = Date.parse('2026-11-20T12:00:00Z');

export interface PortalService {
  readonly url: string;
  /** Folder of the built portal. */
  readonly directory: string;
  close(): Promise<void>;
}

export async function startPortalService(): Promise<PortalService> {
  const folder = mkdtempSync(join(tmpdir(), 'portal-'));
  const directory = join(folder, 'portal');
  await buildPortal(directory, { contact: CONTACT });
  const service = await startLocalService({
    clockOffsetMs: NOW_AT - Date.now(),
    environment: { CONTACT },
    portal: Promise.resolve(directory),
    ingest: SAMPLE_INGEST,
  });
  await service.ingest?.({ source: 'sample-simulator' });
  return {
    url: service.url,
    directory,
    close: async () => {
      await service.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
