/** The status file on one machine: made from the store when it is asked for, at most once a minute. */
import { type ServiceStatus, STATUS_FILE } from '../core/contracts/status.ts';
import { MINUTE_MS } from '../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../core/sources/sample-simulator/declaration.ts';
import { serviceStatus } from '../core/status/service-status.ts';
import { createSourceStatusStore } from '../core/store/source-status.ts';
import type { StoreWiring } from '../lambdas/wiring.ts';
import { contentType, SECURITY_HEADERS } from '../portal/served-headers.ts';
import { type Front, pathRead, sendBytes } from './front.ts';

const HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Type': contentType(STATUS_FILE),
  'Cache-Control': `public, max-age=${MINUTE_MS / 1000}`,
};

/**
 * Serves the status file without a key, as CloudFront does. `recordedUntil`: recorded replies are replayed up to this time, ISO 8601;
 * undefined where something is fetched.
 */
export function statusFront({ openTables, now }: StoreWiring, recordedUntil: string | undefined): Front {
  const statuses = createSourceStatusStore(openTables(['sourceStatus']).sourceStatus, now);
  const read = async (): Promise<ServiceStatus & { readonly recorded?: true }> => {
    const nowAt = recordedUntil === undefined ? now() : Date.parse(recordedUntil);
    const status = serviceStatus([...SOURCE_DECLARATIONS, SAMPLE_DECLARATION], await statuses.all(), nowAt);
    return recordedUntil === undefined ? status : { ...status, recorded: true };
  };
  let kept: { readonly body: Promise<Buffer>; readonly untilAt: number } | undefined;
  return (request, response) => {
    if (pathRead(request) !== STATUS_FILE) return false;
    if (kept === undefined || Date.now() >= kept.untilAt) {
      const body = read().then((status) => Buffer.from(JSON.stringify(status)));
      kept = { body, untilAt: Date.now() + MINUTE_MS };
    }
    kept.body
      .then((body) => sendBytes(request, response, 200, HEADERS, body))
      .catch(() => {
        kept = undefined;
        response.writeHead(503, { ...HEADERS, 'Cache-Control': 'no-store' }).end();
      });
    return true;
  };
}
