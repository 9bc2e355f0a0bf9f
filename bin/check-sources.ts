/** `npm run check:sources`: asks each source once, or reads a folder of replies, and judges them in memory. */

import { openLedger } from '../core/calls/ledger.ts';
import { portChanges } from '../core/ingest/port-changes.ts';
import {
  isCompared,
  judgeReply,
  listCounts,
  type PlannedReports,
  ReplyComparison,
} from '../core/ingest/reply-counts.ts';
import type { Locode } from '../core/reference/locode.ts';
import { formatInstant, type Instant, MINUTE_MS, wholeSecond } from '../core/reference/time.ts';
import { DEPLOYED_SOURCES, sourceById } from '../core/sources/registry.ts';
import { createFolderArchive } from '../core/store/raw-archive.ts';
import { fetchHttpClient } from '../core/upstream/http/fetch-client.ts';
import { UpstreamFailure } from '../core/upstream/http/http-client.ts';
import { learned, type ShownLists, type Verdict } from '../core/upstream/judgement.ts';
import { type FetchedFiles, RefusedReply, type Source } from '../core/upstream/source.ts';
import { command, parse, run, UsageError } from '../local/command-line.ts';

const ABOUT = `Asks each configured source once, writes nothing, and prints how its reply is judged; exit code 1 when one is refused or
held. With --replay, the replies of a folder, in order of time. A single live reply has no earlier one to compare with: its structure alone
is judged.`;

interface Options {
  readonly source?: string;
  readonly replay?: string;
}

/** Judges the replies of one source in their order, in memory. */
function createCheck(source: Source) {
  const ledgers = new Map<Locode, PlannedReports['state']['ledger']>();
  let shown: ShownLists = {};
  let lastFetchAt: Instant | undefined;
  return (fetchedAt: Instant, files: FetchedFiles) => {
    try {
      const parsed = source.parse({ fetchedAt, files });
      const reports = parsed.reports.flatMap((report) => (report.kind === 'trade' ? [] : [report]));
      const plans = [...new Set(reports.map(({ port }) => port))].map((port): PlannedReports => {
        const ledger = ledgers.get(port) ?? openLedger();
        const portReports = reports.filter((report) => report.port === port);
        return {
          state: { row: { port }, ledger },
          older: [],
          reports: portReports,
          changes: portChanges(ledger, portReports),
        };
      });
      const status = { shown, ...(lastFetchAt !== undefined && { lastFetchAt }) };
      const comparison = new ReplyComparison(reports, lastFetchAt);
      if (isCompared(source.declaration)) for (const plan of plans) comparison.add(plan);
      const verdict = judgeReply(parsed, comparison.counts(), status, fetchedAt);
      const lists = listCounts(parsed);
      if (verdict.outcome === 'accepted') {
        for (const { state, changes } of plans) ledgers.set(state.row.port, changes.ledger);
        shown = learned(shown, lists);
        lastFetchAt = fetchedAt;
      }
      const rows = lists.reduce((sum, list) => sum + list.rows, 0);
      return { verdict, rows, ageMinutes: Math.round((fetchedAt - parsed.asOfAt) / MINUTE_MS) };
    } catch (error) {
      if (!(error instanceof RefusedReply)) throw error;
      const verdict: Verdict = {
        outcome: 'refused',
        by: 'parser',
        reason: error.reason,
        detail: error.message,
      };
      return { verdict };
    }
  };
}

const line = (
  id: string,
  fetchedAt: Instant,
  { verdict, rows, ageMinutes }: ReturnType<ReturnType<typeof createCheck>>,
) =>
  [
    id,
    formatInstant(fetchedAt),
    rows === undefined ? '' : `${rows} rows`,
    ageMinutes === undefined ? '' : `${ageMinutes} min old`,
    [verdict.outcome, verdict.detail].filter(Boolean).join(': '),
  ].join('  ');

async function ask(source: Source): Promise<FetchedFiles | undefined> {
  const { declaration } = source;
  const secret = declaration.secret === undefined ? undefined : process.env[declaration.secret];
  if (declaration.secret !== undefined && !secret) return undefined;
  const http = fetchHttpClient(declaration, {
    now: Date.now,
    random: Math.random,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    contact: process.env.CONTACT,
  });
  return source.fetch({ http, now: Date.now, lastFetchAt: undefined, secret });
}

/** Whether every reply was accepted; sources whose replies are positions are read by steps, and are only reached. */
async function check(source: Source, replay: string | undefined): Promise<boolean> {
  const { id } = source.declaration;
  const judgeNext = createCheck(source);
  if (replay === undefined) {
    try {
      const fetchedAt = wholeSecond(Date.now());
      const files = await ask(source);
      if (files === undefined) console.log(`${id}  ${source.declaration.secret} is not configured`);
      else if (source.step !== undefined || source.days !== undefined)
        console.log(`${id}  reached, ${files.size} files`);
      else {
        const judged = judgeNext(fetchedAt, files);
        console.log(line(id, fetchedAt, judged));
        return judged.verdict.outcome === 'accepted';
      }
      return true;
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) throw error;
      console.log(`${id}  not reached: ${error.message}`);
      return false;
    }
  }
  if (source.step !== undefined || source.days !== undefined) return true;
  const archive = createFolderArchive(replay);
  let accepted = true;
  for (const fetchedAt of await archive.fetches(id, undefined, Number.MAX_SAFE_INTEGER)) {
    const judged = judgeNext(fetchedAt, (await archive.read(id, fetchedAt)) ?? new Map());
    console.log(line(id, fetchedAt, judged));
    accepted &&= judged.verdict.outcome === 'accepted';
  }
  return accepted;
}

await run(async () => {
  const { source: id, replay } = parse<Options>(
    command('npm run check:sources --', ABOUT)
      .option('--source <id>', 'this source alone')
      .option('--replay <dir>', 'judge recorded replies, laid out as the raw archive'),
    process.argv.slice(2),
  );
  const found = id === undefined ? undefined : sourceById(id);
  if (id !== undefined && found === undefined) throw new UsageError(`there is no source ${id}`);
  const sources = found
    ? [found]
    : DEPLOYED_SOURCES.filter(({ declaration }) => declaration.gone === undefined);
  let accepted = true;
  for (const source of sources) accepted = (await check(source, replay)) && accepted;
  return accepted ? 0 : 1;
});
