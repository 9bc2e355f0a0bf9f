/** Size and load of each handler against a bundle of the DynamoDB client alone, each load in a process of its own. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';
import { TABLES } from '../../core/store/tables.ts';
import type { Figure } from './figure.ts';
import { median } from './statistics.ts';

export interface LoadFigure {
  readonly handler: string;
  readonly kilobytes: number;
  readonly loadMs: number;
  /** To the load of the client alone in the same round: by the clock, and by processor time. */
  readonly ratio: number;
  readonly cpuRatio: number;
}

const LOAD = `
const cpu = process.cpuUsage(), began = performance.now();
require(process.argv[1]);
const ms = performance.now() - began, { user, system } = process.cpuUsage(cpu);
process.stdout.write(JSON.stringify({ ms, cpuMs: (user + system) / 1000 }));
process.exit(0);`;

interface Load {
  readonly ms: number;
  readonly cpuMs: number;
}

/** Whatever a handler wants to find in its environment when it is loaded. */
export const loadEnvironment = (): NodeJS.ProcessEnv => ({
  ...process.env,
  ...Object.fromEntries(Object.values(TABLES).map(({ variable }) => [variable, 'bench'])),
  AWS_REGION: 'local',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
  AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  KEY_PREFIX: 'pcd_dev',
  API_STAGE: 'dev',
  RAW_ARCHIVE: 'file:///tmp',
});

/** The client as the SDK is documented to be used, bundled by the same settings as the handlers. */
function clientAlone(folder: string): string {
  const source = join(folder, 'client.ts');
  const outfile = join(folder, 'client.cjs');
  writeFileSync(
    source,
    "import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';\nexport const client = new DynamoDBClient({});\nexport const command = GetItemCommand;\n",
  );
  buildSync({
    entryPoints: [source],
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    mainFields: ['module', 'main'],
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    nodePaths: [join(process.cwd(), 'node_modules')],
  });
  return outfile;
}

/** Loads every bundle `rounds` times, the client before each, so that a busy moment hits both. */
export function moduleLoads(handlersDir: string, rounds: number): LoadFigure[] {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const env = loadEnvironment();
  const load = (file: string): Load =>
    JSON.parse(execFileSync(process.execPath, ['-e', LOAD, file], { env, encoding: 'utf8' })) as Load;
  try {
    const client = clientAlone(folder);
    return readdirSync(handlersDir).map((handler) => {
      const file = resolve(handlersDir, handler, 'index.cjs');
      const pairs = Array.from({ length: rounds }, () => ({ alone: load(client), own: load(file) }));
      return {
        handler,
        kilobytes: Math.ceil(statSync(file).size / 1024),
        loadMs: median(pairs.map(({ own }) => own.ms)),
        ratio: median(pairs.map(({ alone, own }) => own.ms / alone.ms)),
        cpuRatio: median(pairs.map(({ alone, own }) => own.cpuMs / alone.cpuMs)),
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Functions that no request waits for. */
const JOBS = new Set(['ingest', 'key-sync']);
const LARGEST_KILOBYTES = 450;
/** By the clock, which others on the machine disturb, and by processor time, which they hardly do. */
const LONGEST_LOAD_RATIO = 1.3;
const MOST_CPU_RATIO = 1.1;

export const bundleFigures = (loads: readonly LoadFigure[]): Figure[] =>
  loads.map(({ handler, kilobytes }) => ({
    what: `${handler}: bundle`,
    value: kilobytes,
    unit: 'KB',
    ...(!JOBS.has(handler) && { atMost: LARGEST_KILOBYTES }),
  }));

export const loadFigures = (loads: readonly LoadFigure[]): Figure[] =>
  loads.flatMap(({ handler, loadMs, ratio, cpuRatio }) => [
    {
      what: `${handler}: load, by the clock`,
      value: ratio,
      unit: '',
      against: `the DynamoDB client alone; ${loadMs.toFixed(0)} ms here`,
      ...(!JOBS.has(handler) && { atMost: LONGEST_LOAD_RATIO }),
    },
    {
      what: `${handler}: load, processor time`,
      value: cpuRatio,
      unit: '',
      against: 'the DynamoDB client alone',
      ...(!JOBS.has(handler) && { atMost: MOST_CPU_RATIO }),
    },
  ]);
