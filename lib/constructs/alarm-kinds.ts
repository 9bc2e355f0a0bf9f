/** What alarms there are, and what each says. */

/** `page`: consumers get errors now, and a person can end that. `ticket`: within working hours. */
export type Severity = 'page' | 'ticket';

const OLDER = 'Figures of its ports get older; `as_of` says how old.';
const NOTHING = 'Nothing.';

/** Severity, heading in docs/runbook.md, and what a consumer notices. A test pairs the headings with the page. */
const ALARM_KINDS = {
  errorBudgetFast: ['page', 'The error budget burns', 'Many requests get a 5xx.'],
  errorBudgetSlow: ['ticket', 'The error budget burns', 'Some requests get a 5xx; a retry helps.'],
  serverErrors: ['page', 'The API fails', 'Requests get a 5xx.'],
  healthCanary: ['page', 'The health canary fails', 'No response, or figures that are not renewed.'],
  throttledRequests: ['page', 'Requests are throttled', 'Every key may get a 429 below its own limit.'],
  latency: ['ticket', 'Responses are slow', 'Responses take longer.'],
  functionThrottles: ['ticket', 'A function is throttled', 'Requests may get a 5xx, which pages separately.'],
  tableThrottles: ['ticket', 'A table is throttled', 'Limits are less exact; a new key may get a 503.'],
  limiterFailures: ['ticket', 'The limiter fails', 'Limits are less exact.'],
  staleSource: ['ticket', 'A source is stale', OLDER],
  longOutage: ['ticket', 'A source is stale', OLDER],
  doubtedReply: ['ticket', 'A fetch is not accepted', OLDER],
  sourceWatch: ['ticket', 'Sources are not watched', NOTHING],
  deadLetters: ['ticket', 'Dead letters arrive', OLDER],
  keyReconciliation: [
    'ticket',
    'Keys are not reconciled',
    'New and changed keys do not work yet; disabled ones still do.',
  ],
  heldLoss: [
    'page',
    'Keys would lose their plan',
    'Nothing for 15 minutes where a tag is lost, then a 403; where a plan is gone, a 403 now.',
  ],
  unusableKey: ['ticket', 'A key cannot be used', 'That key gets a 401.'],
  backFill: ['ticket', 'A back-fill fails', 'The past of a port is not complete.'],
  release: ['ticket', 'No release is written', 'The newest dataset is days old.'],
  certificate: ['ticket', 'The certificate ends', 'Nothing until it ends; then no connection.'],
  copyLag: ['ticket', 'The copy lags', NOTHING],
} as const satisfies Readonly<Record<string, readonly [Severity, heading: string, felt: string]>>;

export type AlarmName = keyof typeof ALARM_KINDS;

export const severityOf = (kind: AlarmName): Severity => ALARM_KINDS[kind][0];

/** Address of the section of docs/runbook.md. */
const anchor = (heading: string): string => `#${heading.toLowerCase().replaceAll(' ', '-')}`;

/** What an alarm says: `meaning` is one sentence for the person on call. */
export function describeAlarm(meaning: string, kind: AlarmName): string {
  const [severity, heading, felt] = ALARM_KINDS[kind];
  return `${meaning} Consumers: ${felt} Severity: ${severity}. Runbook: docs/runbook.md${anchor(heading)}`;
}

/** The table of docs/runbook.md, a row for each heading and severity. */
export function alarmTable(): string {
  const rows = Object.values(ALARM_KINDS).map(
    ([severity, heading, felt]) => `[${heading}](${anchor(heading)}) | ${severity} | ${felt}`,
  );
  return ['Alarm | Severity | What a consumer notices', '---|---|---', ...new Set(rows)].join('\n');
}
