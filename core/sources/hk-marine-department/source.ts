/** The Hong Kong Marine Department as a source of polls of HKHKG. */
import { getBody, UpstreamFailure } from '../../upstream/http/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration } from './declaration.ts';
import { backfillDay, HISTORY_HOSTS } from './history.ts';
import { parseReports } from './parse.ts';
import { address, DUE, POLL_REPORTS } from './reports.ts';

// Fetches the reports in parallel. A poll needs one of its three reports; the others may be missing.

/** Files by report name. Throws `UpstreamFailure` when none of the reports of a poll could be fetched. */
export async function fetchReports({ http }: FetchContext): Promise<FetchedFiles> {
  const files = new Map<string, Uint8Array>();
  const failures: UpstreamFailure[] = [];
  const reports = [...POLL_REPORTS, DUE];
  const replies = await Promise.allSettled(
    reports.map((report) => getBody(http, address(report), report.file)),
  );
  for (const [index, { file }] of reports.entries()) {
    const reply = replies[index];
    if (reply?.status === 'fulfilled') files.set(file, reply.value);
    else if (reply?.reason instanceof UpstreamFailure) failures.push(reply.reason);
    else throw reply?.reason;
  }
  if (POLL_REPORTS.some(({ file }) => files.has(file))) return files;
  const pauses = failures.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  throw new UpstreamFailure(
    failures[0]?.reason ?? 'refused',
    failures.map(({ message }) => message).join('; '),
    pauses.length > 0 ? Math.max(...pauses) : undefined,
  );
}

export const source: Source = {
  declaration: hkMarineDepartmentDeclaration,
  fetch: fetchReports,
  parse: parseReports,
  history: { hosts: HISTORY_HOSTS, fetchDay: backfillDay },
};
