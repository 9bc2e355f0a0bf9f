/** The service under soak, in a process of its own, controlled by messages: report, ingest, end. */
import { readdirSync } from 'node:fs';
import { startLocalService } from '../../serve/local-service.ts';

/** How the process is right after its garbage was collected. */
export interface Condition {
  readonly heapBytes: number;
  readonly residentBytes: number;
  /** Open descriptors; undefined where the system does not report them. */
  readonly descriptors: number | undefined;
}
export type Order = 'condition' | 'ingest' | 'stop';
export type Report =
  | { readonly url: string; readonly key: string }
  | { readonly condition: Condition }
  | { readonly done: Order }
  | { readonly fault: string };

const SOURCE = 'sample-simulator';

function condition(): Condition {
  if (globalThis.gc === undefined) throw new Error('start this with --expose-gc');
  // Twice, because the second run frees what the first has finalized.
  globalThis.gc();
  globalThis.gc();
  const { heapUsed, rss } = process.memoryUsage();
  let descriptors: number | undefined;
  try {
    descriptors = readdirSync('/proc/self/fd').length;
  } catch {
    descriptors = undefined;
  }
  return { heapBytes: heapUsed, residentBytes: rss, descriptors };
}

const report = (message: Report): void => void process.send?.(message);

const [assembly = '', bundle = '', dataDirectory = ''] = process.argv.slice(2);
const service = await startLocalService({
  assembly,
  dataDirectory,
  ingest: { sources: [SOURCE], bundle },
  report: (fault) => report({ fault }),
  onFailure: (fault) => report({ fault }),
});
await service.ingest?.({ source: SOURCE });
service.startSchedules();

process.on('message', (order: Order) => {
  if (order === 'condition') report({ condition: condition() });
  else if (order === 'ingest')
    service.ingest?.({ source: SOURCE }).then(
      () => report({ done: order }),
      (thrown) => report({ fault: `ingest: ${thrown}` }),
    );
  else service.close().then(() => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
report({ url: service.url, key: service.keys.bench });
