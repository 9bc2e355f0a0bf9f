/** Reads the report of the test runner: passed, failed, informative and skipped rows. */
import { groupBy } from '../../core/reference/grouping.ts';
import type { FoundData } from './found-data.ts';

export interface JestReport {
  readonly testResults: readonly {
    readonly name: string;
    /** Why the file did not run at all; empty when it ran. */
    readonly message: string;
    readonly assertionResults: readonly {
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Rows of the checklist are identified by their numbers: `[S4.01]`. */
const ROW = /\[S\d+\.\d+\]/;
/** Rows about paths that only a deployed API Gateway can answer. */
const GATEWAY_ROW = /\[gateway\]/;
/** Rows that apply to a stage without observations. */
const ROWS_WITHOUT_DATA =
  /\[S(?:1\.05|4\.05|4\.15|4\.17|4\.18|4\.19|5\.01|5\.02|5\.03|5\.12|5\.13|5\.14|6\.01|7\.13|8\.02|8\.14|9\.01)\]/;
const ROWS_OF_THE_INDEX = /\[S2\.37\]/;
/** The message for a key that was not given. */
const NO_KEY = /there is no key (\w+)/;
const FIRST_LINES = 12;

export const rowsToRun = ({ port }: Pick<FoundData, 'port'>): RegExp =>
  port === undefined ? ROWS_WITHOUT_DATA : ROW;

const readable = (message: string): string => message.split('\n').slice(0, FIRST_LINES).join('\n');

type Row = JestReport['testResults'][number]['assertionResults'][number];

/** Why a row was not judged; undefined where it failed. */
function reasonToSkip(
  { title, status, failureMessages }: Row,
  { port, code }: Pick<FoundData, 'port' | 'code'>,
): string | undefined {
  if (status === 'pending')
    return port === undefined && !ROWS_WITHOUT_DATA.test(title)
      ? 'they read figures, or need data and keys of their own'
      : 'they need data and keys of their own';
  const missing = NO_KEY.exec(failureMessages.join('\n'))?.[1];
  if (missing !== undefined) return `no key ${missing} was given`;
  return code === undefined && ROWS_OF_THE_INDEX.test(title) ? 'no HS code has an index' : undefined;
}

export function toOutcome(report: JestReport, found: Pick<FoundData, 'port' | 'code'>) {
  const rows = report.testResults.flatMap(({ assertionResults }) =>
    assertionResults.filter(({ title }) => ROW.test(title)),
  );
  const others = rows
    .filter(({ status }) => status !== 'passed')
    .map((row) => ({
      title: row.title,
      message: readable(row.failureMessages.join('\n')),
      reason: reasonToSkip(row, found),
    }));
  const failed = others.filter(({ reason }) => reason === undefined);
  const unread = report.testResults
    .filter(({ assertionResults, message }) => assertionResults.length === 0 && message !== '')
    .map(({ name, message }) => ({ title: name, message: readable(message) }));
  const skipped = groupBy(
    others.filter(({ reason }) => reason !== undefined),
    ({ reason = '' }) => reason,
  );
  return {
    passed: rows.length - others.length,
    failed: [...unread, ...failed.filter(({ title }) => !GATEWAY_ROW.test(title))],
    /** Failed rows that do not count, because API Gateway documents no behaviour for them. */
    informative: failed.filter(({ title }) => GATEWAY_ROW.test(title)),
    /** Titles by reason. */
    leftOut: new Map([...skipped].map(([reason, all]) => [reason, all.map(({ title }) => title)])),
  };
}
