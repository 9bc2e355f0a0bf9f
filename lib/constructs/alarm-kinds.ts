/** What alarms there are: how urgent each is, its heading in docs/runbook.md, and what a consumer notices meanwhile. */

/** `page`: consumers get errors now, and a person can end that. `ticket`: within working hours. */
export type Severity = 'page' | 'ticket';

interface AlarmKind {
  readonly severity: Severity;
  readonly heading: string;
  readonly felt: string;
}

const OLDER = 'Figures of its ports get older; `as_of` says how old.';
const NOTHING = 'Nothing.';

/** A test pairs the headings with the page in both directions. */
export const ALARM_KINDS = {
  errorBudgetFast: { severity: 'page', heading: 'The error budget burns', felt: 'Many requests get a 5xx.' },
  errorBudgetSlow: {
    severity: 'ticket',
    heading: 'The error budget burns',
    felt: 'Some requests get a 5xx; a retry helps.',
  },
  serverErrors: { severity: 'page', heading: 'The API fails', felt: 'Requests get a 5xx.' },
  healthCanary: {
    severity: 'page',
    heading: 'The health canary fails',
    felt: 'No response, or figures that are not renewed.',
  },
  throttledRequests: {
    severity: 'page',
    heading: 'Requests are throttled',
    felt: 'Every key may get a 429 below its own limit.',
  },
  latency: { severity: 'ticket', heading: 'Responses are slow', felt: 'Responses take longer.' },
  functionErrors: { severity: 'ticket', heading: 'A function fails', felt: OLDER },
  functionThrottles: {
    severity: 'ticket',
    heading: 'A function is throttled',
    felt: 'Requests may get a 5xx, which has a page of its own.',
  },
  tableThrottles: {
    severity: 'ticket',
    heading: 'A table is throttled',
    felt: 'Limits are less exact; a new key may get a 503.',
  },
  limiterFailures: { severity: 'ticket', heading: 'The limiter fails', felt: 'Limits are less exact.' },
  staleSource: { severity: 'ticket', heading: 'A source is stale', felt: OLDER },
  longOutage: { severity: 'ticket', heading: 'A source is stale', felt: OLDER },
  doubtedReply: { severity: 'ticket', heading: 'A reply is not believed', felt: OLDER },
  sourceWatch: { severity: 'ticket', heading: 'Sources are not watched', felt: NOTHING },
  deadLetters: { severity: 'ticket', heading: 'Dead letters arrive', felt: NOTHING },
  keyReconciliation: {
    severity: 'ticket',
    heading: 'Keys are not reconciled',
    felt: 'New and changed keys do not work yet; disabled ones still do.',
  },
  unusableKey: { severity: 'ticket', heading: 'A key cannot be used', felt: 'That key gets a 401.' },
  backFill: { severity: 'ticket', heading: 'A back-fill fails', felt: 'The past of a port is not complete.' },
  release: { severity: 'ticket', heading: 'No release is written', felt: 'The newest dataset is days old.' },
  certificate: {
    severity: 'ticket',
    heading: 'The certificate ends',
    felt: 'Nothing until it ends; then no connection.',
  },
  copyLag: { severity: 'ticket', heading: 'The copy lags', felt: NOTHING },
} as const satisfies Readonly<Record<string, AlarmKind>>;

export type AlarmName = keyof typeof ALARM_KINDS;

/** Address of the section of docs/runbook.md. */
const anchor = (heading: string): string => `#${heading.toLowerCase().replaceAll(' ', '-')}`;

/** What an alarm says: `meaning` is one sentence for the person on call. */
export function describeAlarm(meaning: string, kind: AlarmName): string {
  const { severity, heading, felt } = ALARM_KINDS[kind];
  return `${meaning} Consumers: ${felt} Severity: ${severity}. Runbook: docs/runbook.md${anchor(heading)}`;
}

/** The table of docs/runbook.md, a row for each heading and severity. */
export function alarmTable(): string {
  const rows = Object.values(ALARM_KINDS).map(
    ({ heading, severity, felt }) => `[${heading}](${anchor(heading)}) | ${severity} | ${felt}`,
  );
  return ['Alarm | Severity | What a consumer notices', '---|---|---', ...new Set(rows)].join('\n');
}
