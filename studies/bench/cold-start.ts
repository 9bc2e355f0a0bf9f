/** From the start of a process to the first response of a function: the cost of a new container, without AWS's own part. */
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { TABLES } from '../../core/store/tables.ts';
import { gatewayEvent, STARTER_KEY } from '../../test/builders/gateway-event.ts';
import { putPort } from '../../test/builders/series-values.ts';
import { startTestStore } from '../../test/builders/store-tables.ts';
import { type Figure, sharesOf } from './figure.ts';
import { median } from './statistics.ts';

interface ColdStart {
  /** Milliseconds: loading the module, the second response, and from the start of the process to the first response. */
  readonly loadMs: number;
  readonly secondMs: number;
  readonly totalMs: number;
  /** Processor time of the same, of Node alone before the module, and of loading the module: less disturbed by other work on the machine. */
  readonly totalCpuMs: number;
  readonly nodeCpuMs: number;
  readonly loadCpuMs: number;
  /** Processor time of the first response alone. */
  readonly firstCpuMs: number;
  /** MiB in memory after the second response. */
  readonly residentMebibytes: number;
}

export interface ColdStarts extends ColdStart {
  /** Processor time of the first response of an instance that Lambda initialized well before. */
  readonly aheadFirstCpuMs: number;
}

const RUN = `
const cpuMs = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1000; };
const began = performance.now(), nodeCpuMs = cpuMs();
const { handler } = require(process.argv[1]);
const loadMs = performance.now() - began, loadCpuMs = cpuMs() - nodeCpuMs;
const event = JSON.parse(process.argv[2]);
const context = { getRemainingTimeInMillis: () => 8000 };
const timed = async () => { const at = performance.now(); const { statusCode } = await handler(event, context);
  if (statusCode !== 200) throw new Error('returned ' + statusCode); return performance.now() - at; };
const { IDLE_MS = 0 } = process.env;
setTimeout(async () => {
  const beforeCpuMs = cpuMs();
  await timed();
  const totalMs = performance.now(), totalCpuMs = cpuMs(), firstCpuMs = totalCpuMs - beforeCpuMs;
  const secondMs = await timed();
  const residentMebibytes = process.memoryUsage.rss() / 2 ** 20;
  process.stderr.write(JSON.stringify({ loadMs, secondMs, totalMs, totalCpuMs, nodeCpuMs, loadCpuMs, firstCpuMs, residentMebibytes }) + '\\n');
  process.exit(0);
}, IDLE_MS);`;

const USLAX = {
  port: 'USLAX',
  name: 'Los Angeles',
  countryCode: 'US',
  latitude: 33.7,
  longitude: -118.3,
  sources: ['scripted'],
};

/** The variables that Lambda sets, and time enough for the work before a first request. */
const AHEAD = { AWS_LAMBDA_INITIALIZATION_TYPE: 'provisioned-concurrency', IDLE_MS: '1000' };

/** A function on tables with one covered port: the response is short, but takes the whole path. */
export async function coldStarts(handlersDir: string, rounds: number): Promise<ColdStarts> {
  const store = await startTestStore(['dailyMetrics', 'ports', 'rateLimits']);
  try {
    await putPort(store.tables.ports, USLAX);
    const env = {
      ...process.env,
      ...Object.fromEntries(Object.values(TABLES).map(({ variable }) => [variable, 'bench'])),
      KEY_PREFIX: 'pcd_dev',
      API_STAGE: 'dev',
      RAW_ARCHIVE: 'file:///tmp',
      AWS_ENDPOINT_URL_DYNAMODB: store.endpoint,
      [TABLES.dailyMetrics.variable]: store.tables.dailyMetrics.name,
      [TABLES.ports.variable]: store.tables.ports.name,
      [TABLES.rateLimits.variable]: store.tables.rateLimits.name,
    };
    const event = JSON.stringify(
      gatewayEvent({
        resource: '/v1/ports/{UNLOCODE}/trend',
        path: { UNLOCODE: 'USLAX' },
        query: { window: ['30d'] },
        key: { ...STARTER_KEY, limits: { ratePerSecond: 10_000, burst: 100_000 } },
      }),
    );
    const file = resolve(handlersDir, 'trend', 'index.cjs');
    // The function logs to its output; the figures come on standard error.
    const program = `process.stdout.write = () => true;${RUN}`;
    const run = (more: NodeJS.ProcessEnv): ColdStart => {
      const out = execFileSync(
        'sh',
        ['-c', '"$0" -e "$1" "$2" "$3" 2>&1 >/dev/null', process.execPath, program, file, event],
        { env: { ...env, ...more }, encoding: 'utf8' },
      );
      // Node may warn on the same output.
      return JSON.parse(/^\{.*\}$/m.exec(out)?.[0] ?? '') as ColdStart;
    };
    const pairs = Array.from({ length: rounds }, () => ({ at: run({}), ahead: run(AHEAD) }));
    const of = (field: keyof ColdStart): number => median(pairs.map(({ at }) => at[field]));
    return {
      loadMs: of('loadMs'),
      secondMs: of('secondMs'),
      totalMs: of('totalMs'),
      totalCpuMs: of('totalCpuMs'),
      nodeCpuMs: of('nodeCpuMs'),
      loadCpuMs: of('loadCpuMs'),
      residentMebibytes: of('residentMebibytes'),
      firstCpuMs: of('firstCpuMs'),
      aheadFirstCpuMs: median(pairs.map(({ ahead }) => ahead.firstCpuMs)),
    };
  } finally {
    await store.close();
  }
}

export const coldStartFigures = (start: ColdStarts): Figure[] => [
  {
    what: 'trend: process start to first response',
    value: start.totalMs,
    unit: 'ms',
    against: 'this machine, embedded store',
  },
  {
    what: 'processor time of that',
    value: start.totalCpuMs,
    unit: 'ms',
    against: sharesOf({
      node: start.nodeCpuMs,
      'loading the module': start.loadCpuMs,
      'first response': start.firstCpuMs,
    }),
  },
  { what: 'loading the module, by the clock', value: start.loadMs, unit: 'ms' },
  { what: 'resident memory', value: start.residentMebibytes, unit: 'MiB', against: 'after two responses' },
  {
    what: 'first response of an instance initialized ahead',
    value: start.aheadFirstCpuMs / start.firstCpuMs,
    unit: '',
    against: 'processor time of a first response otherwise',
    atMost: 0.6,
  },
  { what: 'second response', value: start.secondMs, unit: 'ms', against: 'the same process' },
];
