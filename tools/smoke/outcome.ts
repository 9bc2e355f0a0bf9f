/** Reads the report of the test runner: passed, failed, informative and skipped rows. */
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

interface FailedRow {
  readonly title: string;
  readonly message: string;
}

export interface Outcome {
  readonly passed: number;
  readonly failed: readonly FailedRow[];
  /** Failed rows that do not count, because API Gateway documents no behaviour for them. */
  readonly informative: readonly FailedRow[];
  /** Titles by reason. */
  readonly leftOut: ReadonlyMap<string, readonly string[]>;
}

/** Rows of the checklist are identified by their numbers: `[S4.01]`. */
const ROW = /\[S\d+\.\d+\]/;
/** Rows about paths that only a deployed API Gateway can answer. */
const GATEWAY_ROW = /\[gateway\]/;
/** Rows that apply to a stage without observations. */
const ROWS_WITHOUT_DATA =
  /\[S(?:1\.05|4\.05|4\.15|4\.17|4\.18|4\.19|5\.01|5\.02|5\.03|5\.12|5\.13|5\.14|6\.01|7\.13|9\.01)\]/;
const ROWS_OF_THE_INDEX = /\[S2\.37\]/;
/** The message for a key that was not given. */
const NO_KEY = /there is no key (\w+)/;
const FIRST_LINES = 12;

export const rowsToRun = ({ port }: Pick<FoundData, 'port'>): RegExp =>
  port === undefined ? ROWS_WITHOUT_DATA : ROW;

/** Limits the length of a message. */
const readable = (message: string): string => message.split('\n').slice(0, FIRST_LINES).join('\n');

export function toOutcome(report: JestReport, { port, code }: Pick<FoundData, 'port' | 'code'>): Outcome {
  const failed: FailedRow[] = [];
  const informative: FailedRow[] = [];
  const leftOut = new Map<string, string[]>();
  const leave = (reason: string, title: string): void =>
    void leftOut.set(reason, [...(leftOut.get(reason) ?? []), title]);
  let passed = 0;
  for (const { name, message, assertionResults } of report.testResults) {
    if (assertionResults.length === 0 && message !== '')
      failed.push({ title: name, message: readable(message) });
    for (const { title, status, failureMessages } of assertionResults) {
      if (!ROW.test(title)) continue;
      const said = failureMessages.join('\n');
      const missing = NO_KEY.exec(said)?.[1];
      const noIndex = code === undefined && ROWS_OF_THE_INDEX.test(title);
      if (status === 'passed') passed += 1;
      else if (status === 'pending')
        leave(
          port === undefined && !ROWS_WITHOUT_DATA.test(title)
            ? 'they read figures, or need data and keys of their own'
            : 'they need data and keys of their own',
          title,
        );
      else if (missing !== undefined) leave(`no key ${missing} was given`, title);
      else if (noIndex) leave('no HS code has an index', title);
      else (GATEWAY_ROW.test(title) ? informative : failed).push({ title, message: readable(said) });
    }
  }
  return { passed, failed, informative, leftOut };
}
