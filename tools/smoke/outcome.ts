/** Reads the report of the test runner: passed, failed, informative and skipped rows. */
import { groupBy } from '../../core/reference/statistics.ts';
import { StartError } from '../../local/command-line.ts';

// Finds ports and an HS code with data on a stage, so that rows about figures can run.

/** What rows read. Undefined: the stage has none. */
export interface FoundData {
  /** A port with a trend, and dwell of both kinds. */
  readonly port: string | undefined;
  /** A port with waits of many days, and a forecast. */
  readonly history: string | undefined;
  /** A port with alerts of the last 30 days. */
  readonly alerts: string | undefined;
  /** An HS code with an index. */
  readonly code: string | undefined;
}

/** What is there, and what is not, by what was looked for. */
export const FOUND: Readonly<Record<keyof FoundData, readonly [some: string, none: string]>> = {
  port: ['trend and dwell are those of', 'no port has a trend and dwell of both kinds'],
  history: ['waits and forecast are those of', 'no port has waits of a week and a forecast'],
  alerts: ['alerts are those of', 'no port has alerts of the last 30 days'],
  code: ['the index is that of HS', 'no HS code has an index'],
};

const CODES = ['85', '84', '87', '27', '30'];
const TRIES = 5;
const PAUSE_MS = 3000;
const LOOKED_AT_PORTS = 30;
const WAIT_DAYS = 7;

async function readAt(url: string, path: string, key: string): Promise<unknown> {
  for (let attempt = 1; ; attempt += 1) {
    const reply = await fetch(`${url}${path}`, { headers: { 'X-API-Key': key } }).catch((thrown: unknown) => {
      if (attempt >= TRIES) throw new StartError(`${url} does not respond: ${thrown}`);
      return undefined;
    });
    if (reply?.ok) return reply.json();
    // A stage that has just been deployed may need a moment; a refused key needs no retry.
    if (reply !== undefined && (reply.status < 500 || attempt >= TRIES))
      throw new StartError(`GET ${path} returned ${reply.status}: ${(await reply.text()).slice(0, 300)}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS * attempt));
  }
}

async function firstOf(items: readonly string[], isFound: (item: string) => Promise<boolean>) {
  for (const item of items) if (await isFound(item)) return item;
  return undefined;
}

/** Throws `StartError` when the stage does not respond, or refuses the key. */
export async function findData(url: string, key: string): Promise<FoundData> {
  const list = async (path: string) => (await readAt(url, path, key)) as readonly Record<string, unknown>[];
  const observed = (await list('/v1/ports')).filter((port) => port.last_observed !== null);
  const ports = observed.slice(0, LOOKED_AT_PORTS).map(({ port }) => String(port));
  return {
    port: await firstOf(ports, async (port) => {
      const trend = await list(`/v1/ports/${port}/trend?window=30d`);
      const dwell = await list(`/v1/ports/${port}/dwell?window=30d`);
      return trend.length > 0 && new Set(dwell.map(({ kind }) => kind)).size >= 2;
    }),
    history: await firstOf(ports, async (port) => {
      const forecast = (await readAt(url, `/v1/ports/${port}/forecast`, key)) as { readonly reason: unknown };
      return forecast.reason === null && (await list(`/v1/ports/${port}/waits`)).length >= WAIT_DAYS;
    }),
    alerts: await firstOf(
      ports,
      async (port) => (await list(`/v1/ports/${port}/alerts?window=30d`)).length > 0,
    ),
    code: await firstOf(CODES, async (hs) => (await list(`/v1/hs/${hs}/imports`)).length > 0),
  };
}

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
