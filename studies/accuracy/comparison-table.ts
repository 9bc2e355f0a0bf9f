/** What is measured, on whose data, by which rule and with which command, so that others can repeat it. */

interface Compared {
  readonly what: string;
  readonly data: string;
  readonly rule: string;
  /** Of `npm run study --`, or another. */
  readonly command: string;
}

const ACCURACY = 'npm run study -- accuracy --only';

const COMPARED: readonly Compared[] = [
  {
    what: 'Forecasts as issued',
    data: 'a release: `days` and `forecasts`',
    rule: 'error of p50 beside the base lines, share in the band, pinball loss; `issued` and `replayed` apart',
    command: 'npm run study -- forecast --release DIR',
  },
  {
    what: 'Method of the forecast',
    data: "real: TIPC's lists of Kaohsiung, January to September 2025; generated: simulated ports",
    rule: 'error over that of the better base line',
    command: `${ACCURACY} forecast --kaohsiung FOLDER`,
  },
  {
    what: 'Closure alerts as they were raised',
    data: 'a release: `alerts_raised`',
    rule: '`confirmed` where on the first day or the two after it at most half of the usual number berthed (median of eight weeks by weekday), else `false`; delay from `since` to `raised`',
    command:
      "SELECT port, year(raised), avg(CAST(outcome = 'confirmed' AS INTEGER)), median(raised - since) FROM alerts_raised WHERE outcome IS NOT NULL GROUP BY ALL",
  },
  {
    what: 'Closures by the hour',
    data: 'real: the same lists, as one poll, and the typhoons of 2025',
    rule: '`medium` within 12 h, `high` within 24 h of the stop',
    command: `${ACCURACY} closures-2025 --polls FOLDER`,
  },
  {
    what: 'Closures of other ports',
    data: 'real: vessels present by day around cyclones, CyPort',
    rule: 'a daily rule in the place of that by the hour',
    command: `${ACCURACY} cyclones --data FOLDER`,
  },
  {
    what: 'Change points',
    data: 'real: the annotated series of TCPD, the recorded days of Kaohsiung; generated: noise, steps, ramps, closures',
    rule: 'false alerts a year, share found, days until found, rises that no other alert had told',
    command: `${ACCURACY} annotated-series autocorrelated-noise change-points ramp disruptions`,
  },
  {
    what: 'Waits and counts',
    data: 'real: polls of Hong Kong; generated: ports of which every event is known',
    rule: 'difference from the event times, by the time between polls',
    command: `${ACCURACY} certainty simulated-ports`,
  },
  {
    what: 'Stays from positions',
    data: 'generated traffic',
    rule: 'stays missed, hours off',
    command: 'npm run study -- positions',
  },
];

/** As Markdown, with its heading. */
export const comparisonTable = (): string =>
  [
    '## What is measured, and on whose data',
    '',
    'Measured | Data | Rule | Command',
    '---|---|---|---',
    ...COMPARED.map(({ what, data, rule, command }) => `${what} | ${data} | ${rule} | \`${command}\``),
  ].join('\n');
