/** Sends requests as bytes over HTTP to the service on this machine, and then checks the functions' log. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { splitTarget } from '../../local/gateway/proxy-event.ts';
import { type LocalServiceOptions, startLocalService } from '../../serve/local-service.ts';
import { type HostileRequest, hostileRequest } from './hostile-request.ts';
import { openRawConnection, type RawConnection } from './raw-connection.ts';
import { logFaults, refuseFaults, responseFaults } from './response-rules.ts';

/** Count of each status. */
export type Tally = Map<number, number>;

/**
 * The requested path, undefined where the request line cannot be read. Blanks around a target do no harm, and
 * a line end inside it ends a request line of the oldest form.
 */
function pathOf({ method, target }: HostileRequest): string | undefined {
  const [line = ''] = target.split(/[\r\n]/);
  const trimmed = line.replaceAll(/^ +| +$/g, '');
  return /^$|[\0 ]/.test(method) || /[\0 ]/.test(trimmed) ? undefined : splitTarget(trimmed).path;
}

/** The faults of the functions' log; an empty log is a fault. */
function faultsOfLog(directory: string, secrets: readonly string[]): readonly string[] {
  const lines = ['functions.log.1', 'functions.log']
    .map((name) => join(directory, name))
    .filter(existsSync)
    .flatMap((path) => readFileSync(path, 'utf8').split('\n').slice(0, -1));
  if (lines.length === 0) return ['no log line was written'];
  return lines.flatMap((line) => logFaults(`${line}\n`, secrets));
}

async function tryOne(connection: RawConnection, request: HostileRequest, tally: Tally): Promise<void> {
  const response = await connection.send(request);
  if (response === undefined) return;
  tally.set(response.status, (tally.get(response.status) ?? 0) + 1);
  const { connection: persistence, ...headers } = response.headers;
  // The response to an unreadable request has a body for every method, because the method is unknown.
  const unread = response.status === 400 && persistence === 'close';
  const asked = {
    method: unread ? '' : request.method,
    path: pathOf(request),
    sent: request.headers.map(([, value]) => value),
  };
  refuseFaults(responseFaults(asked, { ...response, headers }));
}

/** @param service what is served: the assembly, and what is ingested into it first. */
export async function tryOverHttp(
  service: Pick<LocalServiceOptions, 'assembly' | 'ingest'>,
  { runs, seed }: { readonly runs: number; readonly seed: number },
  connections = 4,
): Promise<Tally> {
  const directory = mkdtempSync(join(tmpdir(), 'pcd-fuzz-'));
  const reports: string[] = [];
  const running = await startLocalService({
    ...service,
    dataDirectory: directory,
    report: (line) => reports.push(line),
  });
  const { bench, ...others } = running.keys;
  const words = {
    keys: [bench, ...Object.values(others)] as [string, ...string[]],
    known: { UNLOCODE: ['SGSIN', 'ZZZZZ'], code: ['8517', '77'] },
  };
  const tally: Tally = new Map();
  try {
    await running.ingest?.({ source: 'sample-simulator' });
    await Promise.all(
      Array.from({ length: connections }, async (_, worker) => {
        const connection = openRawConnection(Number(new URL(running.url).port));
        const property = fc.asyncProperty(hostileRequest(words), (request) =>
          tryOne(connection, request, tally),
        );
        await fc
          .assert(property, { numRuns: Math.ceil(runs / connections), seed: seed + worker })
          .finally(() => connection.close());
      }),
    );
    refuseFaults(reports.map((line) => `the gateway reported: ${line}`));
  } finally {
    await running.close();
  }
  refuseFaults(faultsOfLog(directory, words.keys));
  rmSync(directory, { recursive: true });
  return tally;
}
