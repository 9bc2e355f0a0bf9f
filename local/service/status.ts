/** The status file on one machine: made from the store when it is asked for, at most once a minute. */
import type { ServerResponse } from 'node:http';
import { type ServiceStatus, STATUS_FILE } from '../../core/contracts/status.ts';
import { type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import { serviceStatus } from '../../core/status/service-status.ts';
import { TABLES } from '../../core/store/tables.ts';
import { contentType, SECURITY_HEADERS } from '../../portal/served-headers.ts';
import type { Gateway } from '../gateway/gateway.ts';
import type { ServiceModel } from '../template/model.ts';

export type ReadStatus = () => Promise<ServiceStatus>;

export interface LocalStatusOptions {
  readonly model: ServiceModel;
  /** The store's address; undefined before it is open. */
  readonly storeEndpoint: () => string | undefined;
  /** How far the service's clock is ahead of the machine's, in milliseconds. */
  readonly clockOffsetMs: number;
  /** Recorded replies are replayed up to this time, ISO 8601; undefined where something is fetched. */
  readonly recordedUntil: string | undefined;
}

/** Reads the status from the store of a local service. The SDK is loaded when it is first needed. */
export function localStatus(options: LocalStatusOptions): ReadStatus {
  const { model, storeEndpoint, clockOffsetMs, recordedUntil } = options;
  const open = async () => {
    // As for the functions of this machine: the warning is for whoever runs them on AWS.
    process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true';
    const [{ createStoreClient, openTables }, { createSourceStatusStore }] = await Promise.all([
      import('../../core/store/open-tables.ts'),
      import('../../core/store/source-status.ts'),
    ]);
    const named = [...model.functions.values()].map(
      ({ environment }) => environment[TABLES.sourceStatus.variable],
    );
    const sourceStatus = named.find((name) => name !== undefined);
    const endpoint = storeEndpoint();
    if (sourceStatus === undefined || endpoint === undefined) throw new Error('the store is not open');
    const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
    const client = createStoreClient(undefined, { endpoint, region: 'local', credentials });
    return createSourceStatusStore(openTables(client, { sourceStatus }).sourceStatus, Date.now);
  };
  let opened: ReturnType<typeof open> | undefined;
  return async () => {
    opened ??= open();
    const statuses = await (await opened).all();
    const nowAt: Instant =
      recordedUntil === undefined ? Date.now() + clockOffsetMs : Date.parse(recordedUntil);
    const status = serviceStatus([...SOURCE_DECLARATIONS, SAMPLE_DECLARATION], statuses, nowAt);
    return recordedUntil === undefined ? status : { ...status, recorded: true };
  };
}

const CACHED_MS = MINUTE_MS;
const HEADERS = {
  ...SECURITY_HEADERS,
  'Content-Type': contentType(STATUS_FILE),
  'Cache-Control': `public, max-age=${CACHED_MS / 1000}`,
};

/** Serves the status file without a key, as CloudFront does; other requests go to the gateway. */
export function behindStatus(read: ReadStatus, gateway: Gateway): Gateway {
  let kept: { readonly text: Promise<string>; readonly untilAt: number } | undefined;
  const text = (): Promise<string> => {
    if (kept === undefined || Date.now() >= kept.untilAt)
      kept = { text: read().then((status) => JSON.stringify(status)), untilAt: Date.now() + CACHED_MS };
    return kept.text;
  };
  const respond = async (response: ServerResponse, isHead: boolean): Promise<void> => {
    const body = Buffer.from(await text());
    response.writeHead(200, { ...HEADERS, 'Content-Length': body.length });
    response.end(isHead ? undefined : body);
  };
  return {
    ...gateway,
    listener(request, response) {
      const [path] = (request.url ?? '').split('?', 1);
      const reads = request.method === 'GET' || request.method === 'HEAD';
      if (path !== STATUS_FILE || !reads) return gateway.listener(request, response);
      respond(response, request.method === 'HEAD').catch(() => {
        kept = undefined;
        response.writeHead(503, { ...HEADERS, 'Cache-Control': 'no-store' }).end();
      });
    },
  };
}
