/** `npm run check:sources`: asks each source once, or reads a folder of replies, judges them in memory, and prints a table. */
import { wholeSecond } from '../core/reference/time.ts';
import { loadSource, loadSources } from '../core/sources/load-sources.ts';
import { fetchHttpClient } from '../core/upstream/fetch-client.ts';
import type { FetchedFiles, Source } from '../core/upstream/source.ts';
import { command, parse, run, UsageError } from '../local/command-line.ts';
import { type CheckRow, checkSource, tableText } from '../tools/check-sources/source-check.ts';

const ABOUT = `Asks each configured source once, writes nothing, and prints how its reply is judged; exit code 1 when one is not reached,
refused or held. With --replay, the replies of a folder, in order of time. A single live reply has no earlier one to compare with: its
structure alone is judged.`;

interface Options {
  readonly source?: string;
  readonly replay?: string;
  readonly record?: string;
}

async function ask({ declaration, fetch }: Source): Promise<FetchedFiles | undefined> {
  const secret = declaration.secret === undefined ? undefined : process.env[declaration.secret];
  if (declaration.secret !== undefined && !secret) return undefined;
  const http = fetchHttpClient(declaration, {
    now: Date.now,
    random: Math.random,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    contact: process.env.CONTACT,
  });
  return fetch({ http, now: Date.now, lastFetchAt: undefined, secret });
}

await run(async () => {
  const {
    source: id,
    replay,
    record,
  } = parse<Options>(
    command('npm run check:sources --', ABOUT)
      .option('--source <id>', 'this source alone')
      .option('--replay <dir>', 'judge recorded replies, laid out as the raw archive')
      .option('--record <dir>', 'write an accepted reply there, where its licence lets it be passed on'),
  );
  const found = id === undefined ? undefined : await loadSource(id);
  if (id !== undefined && found === undefined) throw new UsageError(`there is no source ${id}`);
  if (replay !== undefined && record !== undefined)
    throw new UsageError('--record takes the reply of now, not those of --replay');
  const sources = found ? [found] : await loadSources();
  const rows: CheckRow[] = [];
  let isAccepted = true;
  for (const source of sources) {
    const checked = await checkSource(source, { replay, record, nowAt: wholeSecond(Date.now()), ask });
    rows.push(...checked.rows);
    isAccepted &&= checked.isAccepted;
  }
  console.log(tableText(rows));
  return isAccepted ? 0 : 1;
});
