/** What is reached first as ports are added, from what one port costs: the second half of docs/scale.md. */
import { roundedFigure } from './figure.ts';
import { ARRIVALS_A_DAY, EVERY_MINUTES, type GrowthMeasurement, measureGrowth } from './growth.ts';
import { simulatePass } from './growth-model.ts';

/** Where the ingest runs, and what AWS gives it. */
const MEMORY_MB = 1024;
/** Lambda gives one processor for each 1,769 MB. */
const PROCESSOR_SHARE = MEMORY_MB / 1769;
const STORE_MS = 5;
const PARALLEL_PORTS = 4;
/** Node and the loaded function, before the first port. */
const BASE_MB = 130;
const NEW_TABLE_WRITES = 4000;
const NEW_TABLE_READS = 12_000;
/** Half a read unit for each four kilobytes that a scan passes over. */
const BYTES_PER_READ_UNIT = 8192;
const CALL_DAYS = 400;
const YEAR_DAYS = 365;

const PORTS = [100, 1000, 10_000] as const;

export interface GrowthFigures {
  /** 35 days of calls in memory, as the ingest keeps them. */
  readonly port: GrowthMeasurement;
  /** The low end: passes over the embedded store, and the same simulated. */
  readonly checks: readonly {
    readonly ports: number;
    readonly measuredMs: number;
    readonly simulatedMs: number;
    readonly writesPerPort: number;
  }[];
}

export interface GrowthRow {
  readonly ports: number;
  readonly passSeconds: number;
  readonly rowsWritten: number;
  readonly writeUnits: number;
  readonly memoryMb: number;
  readonly gigabytesAfterAYear: number;
  readonly listReadUnits: number;
  /** Use of each limit, as a share of it. */
  readonly use: Readonly<Record<string, number>>;
}

export async function growth(): Promise<GrowthFigures> {
  const port = await measureGrowth({ ports: 20, days: 35, passes: 15 });
  const checks = [];
  for (const ports of [10, 40]) {
    const real = await measureGrowth({ ports, days: 5, passes: 15, embedded: true });
    // The same in memory, for its processor time without the store's thread.
    const cost = await measureGrowth({ ports, days: 5, passes: 15 });
    const conditions = { processorShare: 1, storeMs: real.storeMs, width: PARALLEL_PORTS };
    checks.push({
      ports,
      measuredMs: real.passMs,
      simulatedMs: simulatePass(ports, cost, conditions),
      writesPerPort: real.writesPerPort,
    });
  }
  return { port, checks };
}

export function growthRows({ port }: GrowthFigures): GrowthRow[] {
  const conditions = { processorShare: PROCESSOR_SHARE, storeMs: STORE_MS, width: PARALLEL_PORTS };
  const { portCalls = 0, ports: portRow = 0, portClocks = 0, ...others } = port.bytesPerPort;
  const aDay = (bytes: number): number => bytes / port.days;
  const yearBytes =
    portRow +
    portClocks +
    aDay(portCalls) * Math.min(CALL_DAYS, YEAR_DAYS) +
    Object.values(others).reduce((sum, bytes) => sum + aDay(bytes), 0) * YEAR_DAYS;
  return PORTS.map((ports) => {
    const passSeconds = simulatePass(ports, port, conditions) / 1000;
    const writeUnits = ports * port.writeUnitsPerPort;
    const memoryMb = BASE_MB + (ports * port.heapPerPort) / 2 ** 20;
    const listReadUnits = (ports * portRow) / BYTES_PER_READ_UNIT;
    return {
      ports,
      passSeconds,
      rowsWritten: ports * port.writesPerPort,
      writeUnits,
      memoryMb,
      gigabytesAfterAYear: (ports * yearBytes) / 1e9,
      listReadUnits,
      use: {
        'memory of the ingest': memoryMb / MEMORY_MB,
        'time between polls': passSeconds / (EVERY_MINUTES * 60),
        'writes of a new table': writeUnits / passSeconds / NEW_TABLE_WRITES,
        'reads of the ports table by one list a second': listReadUnits / NEW_TABLE_READS,
      },
    };
  });
}

const number = (value: number): string =>
  roundedFigure(value).toLocaleString('en', { maximumSignificantDigits: 3 });
const percent = (share: number): string => `${number(share * 100)} %`;

/** The limit that is used most, and how much of it. */
export function firstLimit({ use }: GrowthRow): string {
  const [[name, share] = ['', 0]] = Object.entries(use).sort(([, a], [, b]) => b - a);
  return share >= 1 ? `**${name}**, ${percent(share)}` : `${name}, ${percent(share)}`;
}

export function growthSection(figures: GrowthFigures): string {
  const rows = growthRows(figures);
  const { port, checks } = figures;
  const portsUntil = Math.floor(((MEMORY_MB - BASE_MB) * 2 ** 20) / port.heapPerPort / 100) * 100;
  return `## More ports

One source whose ports are polled every ${EVERY_MINUTES} minutes by one ingest function of ${MEMORY_MB.toLocaleString('en')} MB, as the stack has it. A port here has ${ARRIVALS_A_DAY} arrivals a
day; a port like Hong Kong has ten times as many, and counts as ten.

| Ports | One pass | Rows written by it | Write units | Memory of the ingest | Tables after a year | Read units of one \`/v1/ports\` | Limit that is used most |
|---|---|---|---|---|---|---|---|
${rows
  .map(
    (row) =>
      `| ${row.ports.toLocaleString('en')} | ${number(row.passSeconds)} s | ${number(row.rowsWritten)} | ${number(row.writeUnits)} | ${number(row.memoryMb)} MB | ${number(row.gigabytesAfterAYear)} GB | ${number(row.listReadUnits)} | ${firstLimit(row)} |`,
  )
  .join('\n')}

- **Memory is reached first**, at about ${portsUntil.toLocaleString('en')} ports: the function remembers 35 days of calls of each port, ${number(port.heapPerPort / 1024)} KB, so that a poll
  reads one row. More memory, or ports divided among several sources (each has its own function invocation), moves it: Lambda gives up to
  10,240 MB, enough for the last line.
- **Time** is no limit: a port takes ${number(port.cpuMsPerPort)} ms of processor time and ${number(port.callsPerPort)} requests a pass, four ports at a time, and the next poll comes after
  ${EVERY_MINUTES * 60} s. A function instance that is new reads its ports' 35 days first, once.
- **The list of ports** reads the whole table of ports, ${number((port.bytesPerPort.ports ?? 0) / 1024)} KB a port. Responses are cached for five
  seconds in each instance.
- **Writes** are far below what a table gives: ${number(port.writeUnitsPerPort)} units a port and poll. Every poll writes how far the port's reports
  are read (${number((port.bytesPerPort.portClocks ?? 0) / 1024)} KB, a table of its own) and, where a figure changed, the port's row.

What one port costs is measured on the ingest's own pass (${port.ports} ports, ${port.days} days, ${port.passes} passes); the pass is simulated with four workers, ${number(PROCESSOR_SHARE * 100)} % of a processor and
${STORE_MS} ms a request. At the low end the simulation was checked against passes over the embedded store, on a machine with other work: ${checks
    .map(
      ({ ports, measuredMs, simulatedMs }) =>
        `${ports} ports ${number(measuredMs)} ms, simulated ${number(simulatedMs)} ms`,
    )
    .join('; ')}.
`;
}
