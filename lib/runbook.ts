/** Headings of docs/runbook.md that alarms link to. A test pairs them with the page in both directions. */
const RUNBOOK = {
  errorBudget: 'The error budget burns',
  latency: 'Responses are slow',
  healthCanary: 'The health canary fails',
  serverErrors: 'The API fails',
  functionErrors: 'A function fails',
  functionThrottles: 'A function is throttled',
  tableThrottles: 'A table is throttled',
  throttledRequests: 'Requests are throttled',
  limiterFailures: 'The limiter fails',
  staleSource: 'A source is stale',
  sourceWatch: 'Sources are not watched',
  deadLetters: 'Dead letters arrive',
  keyReconciliation: 'Keys are not reconciled',
  unusableKey: 'A key cannot be used',
  backFill: 'A back-fill fails',
  release: 'No release is written',
} as const;

export type RunbookHeading = keyof typeof RUNBOOK;

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');

export const runbookLink = (heading: RunbookHeading): string =>
  `docs/runbook.md#${anchorOf(RUNBOOK[heading])}`;
