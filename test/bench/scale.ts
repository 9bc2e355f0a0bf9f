/** Which limit is reached first at 10, 1,000 and 100,000 requests a second, as deployed and with raised settings. */
import { ROUTES } from '../../core/contracts/routes.ts';
import { ENDPOINTS } from '../../core/endpoints/endpoints.ts';
import type { CapacityFigures } from './capacity.ts';
import { roundedFigure } from './figure.ts';
import { GATES, type Limits, type ScaleRun, simulate, type Workload } from './scale-model.ts';

/** Measured by hand with generated days; not part of the simulation. */
const POSITIONS = `
## What positions take

Processor time on generated days of a million rows, a quarter of them of vessels that count, all in the boxes; the lower figures on a
quiet machine, the higher on a busy one. Those of a whole day and of a year are extrapolated. No real day has been read yet.

| Work | Measured | A day of 8 million rows | A year |
|---|---|---|---|
| decompress | 0.9 to 1.6 s for a million rows, 117 MB of text | 7 to 13 s | 0.7 to 1.3 h |
| read and cut a day | 0.8 to 1.8 s for a million rows | 7 to 14 s | 0.7 to 1.5 h |
| step, all regions | 0.2 to 0.5 s for a million rows of the file | 2 to 4 s | 0.2 to 0.4 h |
| archived cut | 0.8 to 1.3 MB for a million rows | 6 to 11 MB | 2.3 to 3.9 GB |
| resident memory, cut and step | 105 MB after one day, 140 MB after twenty | below the 1,024 MB of the ingest function | the same |

The ingest function has 1,024 MB and so 0.58 of a processor. The back-fill of a year then takes, without the time of the downloads:

| Step | Runs | Function time | Elapsed | US dollars |
|---|---|---|---|---|
| open: download, decompress and cut 365 files of 178 to 240 MB | day after day, so that the publisher serves one file at a time | 2.4 to 4.8 h | 2.4 to 4.8 h | 0.12 to 0.23 |
| walk: step, and write the calls, by region | four regions at a time | 0.3 to 0.7 h | 0.1 to 0.2 h for the four coasts of the United States; as long as the function time for Denmark, one region | 0.02 to 0.03 |

Requests, storage and the writes of the tables come in addition. The downloads are 75 GB, 2.1 h at 10 MB a second. Several countries
are several sources, whose back-fills run side by side. One execution may take 14 days.

A region is one partition however many years the back-fill covers; years are not divided ([decision 7](decisions/0007-partitions.md#years)).
The first step, nine tenths of the elapsed time with four regions, takes the days in turn by choice, so dividing the second by
years would save a tenth at most.

The live poll of positions is 4 requests every five minutes, 1,152 a day, for 147 square degrees; at 15,000 vessels a poll is 5.7 MB before
compression, 1.6 GB a day.
`;

/** What a new account has, and what the stack sets. */
export const AS_DEPLOYED: Limits = {
  accountRate: 10_000,
  accountBurst: 5000,
  stageRate: 1000,
  stageBurst: 2000,
  concurrency: 1000,
  scalePerTenSeconds: 1000,
  partitionReads: 3000,
  limiterTableWrites: 4000,
  answerCacheSeconds: 5,
};

// Each turns one thing more than the one before it.
const GATEWAY_RAISED: Limits = {
  ...AS_DEPLOYED,
  accountRate: 150_000,
  accountBurst: 75_000,
  stageRate: 150_000,
  stageBurst: 75_000,
};
const AND_CONCURRENCY: Limits = { ...GATEWAY_RAISED, concurrency: 10_000 };
const AND_LIMITER_WARMED: Limits = { ...AND_CONCURRENCY, limiterTableWrites: 150_000 };

interface Variant {
  readonly name: string;
  readonly turned: string;
  readonly limits: Limits;
}

export const VARIANTS: readonly Variant[] = [
  { name: 'as deployed', turned: 'nothing: a new account, the stack as it is', limits: AS_DEPLOYED },
  {
    name: 'gateway raised',
    turned:
      'the stage throttle in `lib/constructs/rest-api.ts` and, beyond 10,000 a second, the account quota (Service Quotas)',
    limits: GATEWAY_RAISED,
  },
  {
    name: '… and concurrency',
    turned: 'concurrent executions of the account (Service Quotas) to 10,000',
    limits: AND_CONCURRENCY,
  },
  {
    name: '… and the limiter warmed',
    turned:
      "warm throughput of the limiter's table to 150,000 writes a second, and the table's quota with it",
    limits: AND_LIMITER_WARMED,
  },
];

/** Seconds simulated at each rate: enough for the bursts to be used up, few enough to run in a minute. */
export const RATES: readonly { readonly ratePerSecond: number; readonly seconds: number }[] = [
  { ratePerSecond: 10, seconds: 600 },
  { ratePerSecond: 1000, seconds: 60 },
  { ratePerSecond: 100_000, seconds: 20 },
];

/** How callers spread over the endpoints; a guess, and stated on the page. */
const SHARES: readonly (readonly [Exclude<keyof CapacityFigures['requests'], 'health'>, number])[] = [
  ['trend', 0.35],
  ['snapshot', 0.3],
  ['alerts', 0.1],
  ['dwell', 0.1],
  ['waits', 0.05],
  ['sources', 0.04],
  ['ports', 0.03],
  ['hsImports', 0.03],
];
/** The number of ports of the simulation, which the first row of the growth of ports has too. */
export const PORTS = 100;

export interface ScaleTimes {
  readonly warmMs: number;
  readonly coldMs: number;
}

/** `listUnits` are the read units of one list of the ports, which grow with their number. */
export function workloadOf(
  capacity: CapacityFigures,
  listUnits: number,
  times: ScaleTimes,
  rate: (typeof RATES)[number],
): Workload {
  const mix = SHARES.map(([operation, share]) => ({
    operation,
    share,
    readUnits: operation === 'ports' ? listUnits : capacity.requests[operation].data.readUnits,
    byPort: 'UNLOCODE' in ROUTES[operation].path,
  }));
  return { ...rate, ports: PORTS, mix, ...times };
}

export interface ScaleRow {
  readonly ratePerSecond: number;
  readonly variant: string;
  readonly run: ScaleRun;
}

export function scaleRows(capacity: CapacityFigures, listUnits: number, times: ScaleTimes): ScaleRow[] {
  return RATES.flatMap((rate) =>
    VARIANTS.map(({ name, limits }) => ({
      ratePerSecond: rate.ratePerSecond,
      variant: name,
      run: simulate(workloadOf(capacity, listUnits, times, rate), limits),
    })),
  );
}

const percent = (share: number): string => `${roundedFigure(share * 100)} %`;

/** The gate that refuses most; where none refuses, the one that is used most. */
export function firstToGive({ run }: ScaleRow): string {
  const refusing = [...GATES].sort((a, b) => run.refused[b] - run.refused[a])[0];
  if (refusing !== undefined && run.refused[refusing] > 0) return `**${refusing}**`;
  const [gate] = [...GATES].sort((a, b) => run.peakUse[b] - run.peakUse[a]);
  return gate === undefined ? '' : `${gate}, ${percent(run.peakUse[gate])} of its limit`;
}

export function scaleTable(rows: readonly ScaleRow[]): string {
  const lines = rows.map(({ ratePerSecond, variant, run }, at) => {
    const refusing = GATES.filter((gate) => run.refused[gate] > 0).map(
      (gate) => `${gate} ${percent(run.refused[gate])}`,
    );
    const row = rows[at];
    return `| ${ratePerSecond.toLocaleString('en')} | ${variant} | ${percent(run.served)} | ${row === undefined ? '' : firstToGive(row)} | ${refusing.join(', ') || 'none'} | ${percent(run.coldShare)} |`;
  });
  return [
    '| Requests a second | Settings | Served | First limit reached, or most used | Refused by (limiter writes: admitted uncounted) | New containers |',
    '|---|---|---|---|---|---|',
    ...lines,
  ].join('\n');
}

/** The page. */
export function scalePage(rows: readonly ScaleRow[], capacity: CapacityFigures, times: ScaleTimes): string {
  const { accountRate, stageRate, stageBurst, concurrency, partitionReads, limiterTableWrites } = AS_DEPLOYED;
  const memory = ENDPOINTS.trend.memoryMb;
  const dwell = capacity.requests.dwell.data.readUnits;
  return `# Scale

Which limit is reached first as traffic grows, and below as ports are added, and which setting to change. Written by \`npm run bench -- scale\`; the simulation is seeded, so the
same code gives the same page. It knows the limits below, the read units that were measured
([performance](performance.md)) and how long a function runs; it does not model the rest of AWS. Only a load test of a deployed stage
proves a figure; this page says what to look at first.

${scaleTable(rows)}

## What to read from it

- **10 a second** is a fraction of every limit. Nothing needs to change.
- **1,000 a second** is exactly what the stage lets through. Its throttle (${stageRate.toLocaleString('en')} a second, burst ${stageBurst.toLocaleString('en')}) is the first limit reached, on purpose: it
  bounds the bill. Raise it in \`lib/constructs/rest-api.ts\` before selling more. Everything behind it has room.
- **100,000 a second** needs the gateway's account quota first (${accountRate.toLocaleString('en')} a second in one region), then concurrency (${concurrency.toLocaleString('en')} in a
  new account). All callers of a port read one partition of each table, which gives ${partitionReads.toLocaleString('en')} read units a second; dwell needs
  ${dwell} units a read. Responses that are cached for five seconds keep that far from its limit. The limiter remains: every admitted
  request is one write, ${limiterTableWrites.toLocaleString('en')} a second on a table that was never warmed. When the table refuses, requests are served under a
  cap of each instance and counted as limiter failures: the service stays up, and the limit is no longer exact.
- One key never makes a hot partition in the limiter's table: it is admitted once a second, and a function instance that
  has seen its bucket empty refuses without reading the table.
- A sudden rise costs new containers: each adds about ${Math.round(times.coldMs)} ms to one request. Provisioned concurrency on \`trend\` and
  \`snapshot\` avoids that where it matters.

## Settings to change

| Step | Setting |
|---|---|
${VARIANTS.map(({ name, turned }) => `| ${name} | ${turned} |`).join('\n')}

## What the simulation assumes

- Requests arrive at random (Poisson) at a steady rate, from an empty start, over ${PORTS} ports by Zipf's law: the most requested gets
  19 % of the requests for ports. Keys are many enough that each stays within its own limit.
- Endpoints: ${SHARES.map(([operation, share]) => `${operation} ${percent(share)}`).join(', ')}.
- A warm response occupies its container for ${roundedFigure(times.warmMs)} ms, a first one for ${roundedFigure(times.coldMs)} ms: measured processor time scaled to ${memory} MB,
  and 5 ms for the store.
- Limits: account ${accountRate.toLocaleString('en')} a second; concurrency ${concurrency.toLocaleString('en')}, growing by 1,000 in ten seconds for each function; a
  partition ${partitionReads.toLocaleString('en')} read units a second, without the help of adaptive capacity; a new on-demand table ${limiterTableWrites.toLocaleString('en')} writes
  a second. These are AWS's published defaults of mid-2025; look them up.
${POSITIONS}`;
}
