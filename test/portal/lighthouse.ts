/**
 * Measures pages as a telephone sees them: `node --import tsx test/portal/lighthouse.ts FOLDER`, where Lighthouse is
 * installed in FOLDER and CHROME_PATH names the browser. A page passes by what it loads and when its largest part is
 * painted, each as the median of three runs. The score and the blocked time are printed and not judged: they are processor
 * time of this machine, and the same page has had 80 and 100 on two machines.
 */
import { spawn } from 'node:child_process';
import { startPortalService } from './portal-service.ts';

interface Bar {
  readonly path: string;
  readonly maxKilobytes: number;
}

const BARS: readonly Bar[] = [
  { path: '/', maxKilobytes: 150 },
  { path: '/docs/', maxKilobytes: 30 },
  { path: '/docs/coverage.html', maxKilobytes: 100 },
  { path: '/docs/status.html', maxKilobytes: 40 },
  { path: '/try-it.html', maxKilobytes: 30 },
];
/** "Good" in the Core Web Vitals, on the slow network that Lighthouse assumes. */
const MAX_PAINT_MS = 2500;
const RUNS = 3;
/** Before a run of a page that counts. A run that Lighthouse cannot finish says nothing about a page and is repeated. */
const MAX_LOST_RUNS = 5;
/**
 * One renderer process: a page that loads in another process than the blank page before it may begin before Chromium records that
 * process. Then the trace lacks the start of the navigation, and Lighthouse fails with NO_NAVSTART.
 */
const CHROME_FLAGS = '--headless=new --no-sandbox --disable-gpu --renderer-process-limit=1';
const MAX_SHIFT = 0.05;

interface Run {
  readonly score: number;
  readonly paintMs: number;
  readonly blockedMs: number;
  readonly shift: number;
  readonly bytes: number;
}

interface Report {
  readonly categories: { readonly performance: { readonly score: number } };
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

/** The output of one run. Rejects when Lighthouse fails. */
function reportOf(folder: string, url: string): Promise<string> {
  const flags = ['--quiet', '--output=json', '--only-categories=performance'];
  const program = `${folder}/node_modules/lighthouse/cli/index.js`;
  const child = spawn(process.execPath, [program, url, ...flags, `--chrome-flags=${CHROME_FLAGS}`], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let complaint = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('close', (code) =>
      code === 0 ? resolve(text) : reject(new Error(`Lighthouse failed: ${complaint}`)),
    );
  });
}

async function runOnce(folder: string, url: string): Promise<Run> {
  let text: string | undefined;
  let lost = 0;
  while (text === undefined) {
    try {
      text = await reportOf(folder, url);
    } catch (error) {
      lost += 1;
      if (lost > MAX_LOST_RUNS) throw error;
      console.log(`repeated: ${url}: ${error instanceof Error ? error.message.trim() : error}`);
    }
  }
  const { categories, audits } = JSON.parse(text) as Report;
  const figure = (name: string): number => audits[name]?.numericValue ?? Number.NaN;
  return {
    score: Math.round(100 * categories.performance.score),
    paintMs: figure('largest-contentful-paint'),
    blockedMs: figure('total-blocking-time'),
    shift: figure('cumulative-layout-shift'),
    bytes: figure('total-byte-weight'),
  };
}

const [, , folder] = process.argv;
if (folder === undefined) throw new Error('the folder in which Lighthouse is installed is missing');
const service = await startPortalService();
let failed = 0;
try {
  for (const { path, maxKilobytes } of BARS) {
    const runs: Run[] = [];
    while (runs.length < RUNS) runs.push(await runOnce(folder, service.url + path));
    const median = (of: (run: Run) => number): number => runs.map(of).sort((a, b) => a - b)[1] as number;
    const paintMs = median((run) => run.paintMs);
    const shift = median((run) => run.shift);
    const kilobytes = Math.round(median((run) => run.bytes) / 1024);
    const isMet = paintMs <= MAX_PAINT_MS && shift <= MAX_SHIFT && kilobytes <= maxKilobytes;
    if (!isMet) failed += 1;
    console.log(
      `${isMet ? 'ok' : 'FAILS'} ${path} largest paint ${(paintMs / 1000).toFixed(1)} s (at most ${MAX_PAINT_MS / 1000}), shift ${shift.toFixed(2)} (${MAX_SHIFT}), ${kilobytes} KB (${maxKilobytes}); score ${median((run) => run.score)}, blocked ${Math.round(median((run) => run.blockedMs))} ms`,
    );
  }
} finally {
  await service.close();
}
process.exit(failed === 0 ? 0 : 1);
