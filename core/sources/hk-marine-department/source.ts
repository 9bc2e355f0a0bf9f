/** The Hong Kong Marine Department as a source of polls of HKHKG. */
import { type HttpClient, UpstreamFailure } from '../../upstream/http/http-client.ts';
import type { FetchContext, FetchedFiles, Source } from '../../upstream/source.ts';
import { hkMarineDepartmentDeclaration } from './declaration.ts';
import { backfillDay, HISTORY_HOSTS } from './history.ts';
import { parseReports } from './parse.ts';
import { address, DUE, POLL_REPORTS, type ReportForm } from './reports.ts';

// Fetches the reports in parallel. A poll needs one of its three reports; the others may be missing.

const OK = 200;

/** The report's bytes, or the failure. */
async function getReport(http: HttpClient, report: ReportForm): Promise<Uint8Array | UpstreamFailure> {
  try {
    const reply = await http.get(address(report));
    if (reply.status === OK) return reply.body;
    return new UpstreamFailure('refused', `${report.file}: status ${reply.status}`);
  } catch (error) {
    if (error instanceof UpstreamFailure) return error;
    throw error;
  }
}

/** The longest pause that any of the failures asks for. */
const longestPause = (failures: readonly UpstreamFailure[]): number | undefined => {
  const pauses = failures.flatMap(({ retryAfterSeconds: pause }) => (pause === undefined ? [] : [pause]));
  return pauses.length > 0 ? Math.max(...pauses) : undefined;
};

/** Files by report name. Throws `UpstreamFailure` when none of the reports of a poll could be fetched. */
export async function fetchReports({ http }: FetchContext): Promise<FetchedFiles> {
  const reports = [...POLL_REPORTS, DUE];
  const results = await Promise.all(reports.map((report) => getReport(http, report)));
  const files = new Map<string, Uint8Array>();
  const failures: UpstreamFailure[] = [];
  for (const [index, report] of reports.entries()) {
    const result = results[index];
    if (result instanceof UpstreamFailure) failures.push(result);
    else if (result !== undefined) files.set(report.file, result);
  }
  if (POLL_REPORTS.some(({ file }) => files.has(file))) return files;
  const [first] = failures;
  const detail = failures.map(({ message }) => message).join('; ');
  throw new UpstreamFailure(first?.reason ?? 'refused', detail, longestPause(failures));
}

export const source: Source = {
  declaration: hkMarineDepartmentDeclaration,
  fetch: fetchReports,
  parse: parseReports,
  history: { hosts: HISTORY_HOSTS, fetchDay: backfillDay },
};
