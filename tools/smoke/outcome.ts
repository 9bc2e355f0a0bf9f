/** Reads the report of the test runner: passed, failed, informative and skipped rows. */
import { groupBy } from '../../core/reference/grouping.ts';
import { FOUND, type FoundData } from './found-data.ts';

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
  /\[S(?:1\.05|4\.05|4\.15|4\.17|4\.18|4\.19|5\.01|5\.02|5\.03|5\.12|5\.13|5\.14|6\.01|7\.02|7\.13|8\.02|8\.14|9\.01)\]/;
/** Rows that fail on a stage without these data. */
const ROWS_ABOUT: Readonly<Partial<Record<keyof FoundData, RegExp>>> = {
  history: /\[S(?:2\.42|2\.45|4\.62)\]/,
  alerts: /\[S2\.48\]/,
  code: /\[S2\.37\]/,
};
/** The messages for what was not given. */
const NOT_GIVEN: readonly [RegExp, (name: string) => string][] = [
  [/there is no key (\w+)/, (name) => `no key ${name} was given`],
  [/no function may be broken/, () => 'no function was given that may be broken'],
];
const FIRST_LINES = 12;

export const rowsToRun = ({ port }: FoundData): RegExp => (port === undefined ? ROWS_WITHOUT_DATA : ROW);

const readable = (message: string): string => message.split('\n').slice(0, FIRST_LINES).join('\n');

type Row = JestReport['testResults'][number]['assertionResults'][number];

/** Why a row was not judged; undefined where it failed. */
function reasonToSkip({ title, status, failureMessages }: Row, found: FoundData): string | undefined {
  if (status === 'pending')
    return found.port === undefined && !ROWS_WITHOUT_DATA.test(title)
      ? 'they read figures, or need data and keys of their own'
      : 'they need data and keys of their own';
  const messages = failureMessages.join('\n');
  for (const [message, reason] of NOT_GIVEN) {
    const [given, name = ''] = message.exec(messages) ?? [];
    if (given !== undefined) return reason(name);
  }
  const names = Object.keys(ROWS_ABOUT) as (keyof FoundData)[];
  const missing = names.find((name) => found[name] === undefined && ROWS_ABOUT[name]?.test(title));
  return missing && FOUND[missing][1];
}

export function toOutcome(report: JestReport, found: FoundData) {
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
