/** The Hong Kong Marine Department as a source of polls of HKHKG. */

import { z } from 'zod';
import { type Day, endOfDay, type Instant, latestOf, MINUTE_MS, startOfDay } from '../../reference/time.ts';
import { inTurns } from '../../reference/turns.ts';
import { localTime } from '../../upstream/fields.ts';
import { getBody, type HttpClient, UpstreamFailure } from '../../upstream/http-client.ts';
import type { FetchContext, FetchedFiles, PastFetches, Source } from '../../upstream/source.ts';
import { HONG_KONG_MINUTES, hkMarineDepartmentDeclaration } from './declaration.ts';
import { address, DUE, POLL_REPORTS, parseReports, type ReportForm } from './parse.ts';

// Past polls of the Marine Department from the historical archive of DATA.GOV.HK, for back-fill.

const ARCHIVE = 'https://api.data.gov.hk/v1/historical-archive';
/** For the client's list of allowed hosts; the second one serves the files. */
export const HISTORY_HOSTS: readonly string[] = ['api.data.gov.hk', 'app.data.gov.hk'];
/** Requests at once; the archive is a shared public service. */
export const POLITE_CONCURRENCY = 2;

const HONG_KONG_OFFSET_MS = HONG_KONG_MINUTES * MINUTE_MS;
/** The reports of one poll are archived within minutes of one another; polls are 20 minutes apart. */
const SAME_POLL_MS = 10 * MINUTE_MS;

interface Version {
  readonly report: ReportForm;
  /** As the archive writes it, `20250817-1320`, Hong Kong time. */
  readonly stamp: string;
  readonly at: Instant;
}

const versionsShape = z.object({ timestamps: z.array(z.coerce.string()) });

/** Whole-day bundles have another stamp. */
const STAMP = localTime('YYYYMMDD-HHmm', 'Hong Kong', HONG_KONG_MINUTES);

const compactDay = (at: Instant): string => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');

function question(
  call: 'list-file-versions' | 'get-file',
  report: ReportForm,
  rest: Record<string, string>,
): string {
  return `${ARCHIVE}/${call}?${new URLSearchParams({ url: address(report), ...rest })}`;
}

/** The archived versions of a report in the UTC day. Throws `UpstreamFailure` when the list is not available. */
async function listVersions(http: HttpClient, report: ReportForm, day: Day): Promise<Version[]> {
  const span = {
    start: compactDay(startOfDay(day) + HONG_KONG_OFFSET_MS),
    end: compactDay(endOfDay(day) + HONG_KONG_OFFSET_MS - 1),
  };
  const what = `versions of ${report.file}`;
  const body = await getBody(http, question('list-file-versions', report, span), what);
  let stamps: readonly string[];
  try {
    stamps = versionsShape.parse(JSON.parse(new TextDecoder().decode(body))).timestamps;
  } catch {
    throw new UpstreamFailure('malformed', `${what}: not a list`);
  }
  return stamps.flatMap((stamp) => {
    const at = STAMP.read(stamp);
    const inDay = at !== undefined && at >= startOfDay(day) && at < endOfDay(day);
    return inDay ? [{ report, stamp, at }] : [];
  });
}

/** Versions within ten minutes of the first are one poll, with at most one of each report; oldest first. */
function groupPolls(versions: readonly Version[]): Version[][] {
  const polls: Version[][] = [];
  for (const version of [...versions].sort(
    (a, b) => a.at - b.at || (a.report.file < b.report.file ? -1 : 1),
  )) {
    const poll = polls.at(-1);
    const first = poll?.[0];
    const joins = first && version.at - first.at <= SAME_POLL_MS;
    if (poll && joins && !poll.some((other) => other.report.file === version.report.file)) poll.push(version);
    else polls.push([version]);
  }
  return polls;
}

/** Writes the polls of one UTC day that `archive` lacks. Throws `UpstreamFailure` when the upstream does not respond. */
export async function backfillDay(http: HttpClient, archive: PastFetches, day: Day): Promise<void> {
  const versions: Version[] = [];
  for (const report of POLL_REPORTS) versions.push(...(await listVersions(http, report, day)));
  await inTurns(groupPolls(versions), POLITE_CONCURRENCY, async (poll) => {
    const fetchedAt = latestOf(poll.map(({ at }) => at));
    if (await archive.has(fetchedAt)) return;
    const files = new Map<string, Uint8Array>();
    for (const { report, stamp } of poll) {
      const url = question('get-file', report, { time: stamp });
      files.set(report.file, await getBody(http, url, `${report.file} of ${stamp}`));
    }
    await archive.write({ fetchedAt, files });
  });
}

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
