/**
 * `npm run study -- mutation`: Stryker changes the code of the folders below, one small fault at a time, and counts the faults
 * that the folder's own tests detect. `npm run study -- mutation http --sample 50 --seed 7` tries 50 of one folder's, and
 * `npm run study -- mutation core/http/request.ts` all of one file's.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { chooseSample, leastDetected } from './sample.ts';
import { findMutants, keyOf, type Mutant, type MutantResult, runMutants } from './stryker/stryker.mjs';

/**
 * The folders of core, each with the tests that have to detect its faults: those at the lowest place, without those whose
 * names follow a `!`, which take too long for every mutant.
 */
const TESTS_OF: Readonly<Record<string, readonly string[]>> = {
  calls: ['unit/calls'],
  metrics: ['unit/metrics', '!recorded-steps'],
  access: [
    'unit/access',
    'unit/lambdas/authorizer',
    'unit/lambdas/key-sync',
    'unit/store/key-administration',
  ],
  http: ['unit/http', 'unit/endpoints/alert-feed'],
  ingest: [
    'unit/ingest',
    'unit/lambdas/ingest',
    'unit/lambdas/ingest-dependencies',
    'store/ingest-pass',
    'store/ingest-refusals',
    'store/position-steps',
    'sources/positions/compared-waits',
  ],
};
/** Detected mutants in 100: of every folder in a run over all its mutants. */
const THRESHOLD_PERCENT = 90;
/** How often a sample may fall short by chance where the threshold is met exactly. */
const CHANCE_OF_A_POOR_SAMPLE = 0.001;
/**
 * Of one test, and of all tests of a mutant beyond the time that they take without it. Most loops without end meet
 * Stryker's hit limit long before.
 */
const TIMEOUT_MS = 30_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TOOLS = fileURLToPath(new URL('stryker', import.meta.url));
const WORK = 'dist/mutation';

/** What to mutate: a folder of core, and the names of its files. */
interface Target {
  readonly folder: string;
  readonly files: readonly string[];
}

/** The folders and files that the arguments name, such as `http`, `core/http` or `core/http/request.ts`. */
function targetsOf(names: readonly string[]): Target[] {
  const files = new Map<string, Set<string>>();
  for (const name of names.length > 0 ? names : Object.keys(TESTS_OF)) {
    const [folder = '', ...rest] = name
      .replace(/^core\//, '')
      .replace(/\/$/, '')
      .split('/');
    if (TESTS_OF[folder] === undefined) throw new UsageError(`core has no folder ${folder} to mutate`);
    const all = readdirSync(`${ROOT}core/${folder}`);
    const file = rest.join('/');
    if (file !== '' && !all.includes(file))
      throw new UsageError(`core/${folder} has no file ${file} to mutate`);
    files.set(folder, new Set([...(files.get(folder) ?? []), ...(file === '' ? all : [file])]));
  }
  return [...files].map(([folder, chosen]) => ({ folder, files: [...chosen] }));
}

interface Values {
  readonly sample?: string;
  readonly seed?: string;
  readonly threshold?: string;
  readonly concurrency?: string;
}

function readOptions() {
  const integer = (name: keyof Values, otherwise: number): number => {
    const text = values[name];
    if (text !== undefined && !/^\d{1,9}$/.test(text))
      throw new UsageError(`--${name} takes a whole number, not ${text}`);
    return text === undefined ? otherwise : Number(text);
  };
  const about = `Changes the code by one small fault at a time and counts the faults that tests detect. FOLDER is a folder of
core (${Object.keys(TESTS_OF).join(', ')}), all of them without one, or a file: core/http/request.ts`;
  const definition = command('npm run study -- mutation', about)
    .argument('[folder...]')
    .option('--sample <n>', 'try n mutants, chosen by --seed, instead of all')
    .option('--seed <n>', 'a whole number')
    .option(
      '--threshold <percent>',
      `detected mutants in 100 for exit status 0 (default: ${THRESHOLD_PERCENT}); for a sample, less what chance explains`,
    )
    .option('--concurrency <n>', 'processes; one for each processor by default');
  const values = parse<Values>(definition);
  return {
    targets: targetsOf(definition.args),
    sample: values.sample === undefined ? undefined : integer('sample', 0),
    seed: integer('seed', Math.floor(Math.random() * 1e6)),
    threshold: integer('threshold', THRESHOLD_PERCENT),
    concurrency: integer('concurrency', availableParallelism()),
  };
}

/** Installs Stryker beside this program where it is missing or out of date. Status 77 where that cannot be done. */
function installTools(): void {
  const installed = `${TOOLS}/node_modules/.package-lock.json`;
  const locked = `${TOOLS}/package-lock.json`;
  if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(locked).mtimeMs) return;
  console.log('installing Stryker');
  const { status } = spawnSync(
    'npm',
    ['--prefix', TOOLS, 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    { stdio: 'inherit' },
  );
  if (status === 0) return;
  console.error('left out: Stryker cannot be installed from the npm registry here');
  process.exit(77);
}

function mutantsOf({ folder, files }: Target): Promise<Mutant[]> {
  const names = files.map((file) => `${ROOT}core/${folder}/${file}`);
  return findMutants(names.map((name) => ({ name, content: readFileSync(name, 'utf8') })));
}

const mutate = ({ folder, files }: Target, concurrency: number): Promise<MutantResult[]> =>
  runMutants({
    mutate: files.map((file) => `core/${folder}/${file}`),
    plugins: [`${TOOLS}/runner.mjs`],
    testRunner: 'bundle',
    bundleRunner: {
      setupFiles: ['environment', 'short-properties'].map((name) => `test/setup/${name}.mjs`),
      testFiles: testFilesOf(folder),
      testTimeout: TIMEOUT_MS,
    },
    coverageAnalysis: 'perTest',
    concurrency,
    timeoutMS: TIMEOUT_MS,
    dryRunTimeoutMinutes: 20,
    disableTypeChecks: false,
    ignorePatterns: ['/dist', '/cdk.out', '/.data', '/.ci'],
    // Outside of the project, whose tests would find a second copy of it.
    tempDirName: join(tmpdir(), 'port-congestion-mutation'),
    reporters: ['html', 'progress-append-only'],
    htmlReporter: { fileName: `${WORK}/${folder}.html` },
    logLevel: 'warn',
    warnings: false,
  });

/** The test files that have to detect the faults of a folder, relative to the project. */
function testFilesOf(folder: string): string[] {
  const names = TESTS_OF[folder] ?? [];
  const left = new Set(
    names.filter((name) => name.startsWith('!')).map((name) => `${name.slice(1)}.test.ts`),
  );
  return names
    .filter((name) => !name.startsWith('!'))
    .flatMap((name) =>
      existsSync(`${ROOT}test/${name}`) ? filesBelow(`test/${name}`) : [`test/${name}.test.ts`],
    )
    .filter((file) => file.endsWith('.test.ts') && !left.has(basename(file)));
}

const filesBelow = (folder: string): string[] =>
  (readdirSync(`${ROOT}${folder}`, { recursive: true }) as string[])
    .map((name) => `${folder}/${name}`)
    .sort();

interface Score {
  readonly folder: string;
  readonly mutants: number;
  readonly killed: number;
  readonly survived: number;
  readonly uncovered: number;
  readonly timeout: number;
}

const detectedIn = ({ killed, timeout }: Score): number => killed + timeout;

function scoreOf(folder: string, results: readonly MutantResult[]): Score {
  const count = (...statuses: MutantResult['status'][]): number =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return {
    folder,
    mutants: results.length,
    // A file of tests that fails while it is loaded, before its first test, is a run-time error.
    killed: count('Killed', 'RuntimeError'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    timeout: count('Timeout'),
  };
}

function sumOf(scores: readonly Score[]): Score {
  const sum = (read: (score: Score) => number): number => scores.reduce((total, one) => total + read(one), 0);
  return {
    folder: 'all',
    mutants: sum((one) => one.mutants),
    killed: sum((one) => one.killed),
    survived: sum((one) => one.survived),
    uncovered: sum((one) => one.uncovered),
    timeout: sum((one) => one.timeout),
  };
}

const percentOf = (score: Score): number => (100 * detectedIn(score)) / Math.max(1, score.mutants);

function printTable(scores: readonly Score[]): void {
  const line = (first: string, others: readonly string[]): void =>
    console.log(first.padEnd(16) + others.map((text) => text.padStart(12)).join(''));
  line('folder', ['mutants', 'killed', 'survived', 'no coverage', 'timeout', 'score']);
  for (const one of scores) {
    const counts = [one.mutants, one.killed, one.survived, one.uncovered, one.timeout].map(String);
    line(one.folder === 'all' ? 'all' : `core/${one.folder}`, [...counts, `${percentOf(one).toFixed(1)} %`]);
  }
}

/** Where a mutant stands, the first line of what it replaces, and what it puts there. */
function describe({
  fileName,
  location: { start, end },
  mutatorName,
  replacement,
  status,
}: MutantResult): string {
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line, end.line + 1);
  const original = (lines.length === 1 ? lines[0]?.slice(0, end.column) : lines[0])?.slice(start.column);
  const place = `${relative(ROOT, fileName)}:${start.line + 1}:${start.column + 1}`;
  const brief = (code = ''): string => code.replaceAll(/\s+/g, ' ').slice(0, 100);
  return `${place} ${status} ${mutatorName}\n    ${brief(original)}  =>  ${brief(replacement)}`;
}

/** The exit status. */
async function main(): Promise<number> {
  const { targets, sample, seed, threshold, concurrency } = readOptions();
  process.chdir(ROOT);
  installTools();
  mkdirSync(WORK, { recursive: true });
  let chosen: ReadonlySet<string> | undefined;
  if (sample !== undefined) {
    const mutants = (await Promise.all(targets.map(mutantsOf))).flat();
    chosen = new Set(
      chooseSample(
        mutants.map((one) => keyOf(one)),
        sample,
        seed,
      ),
    );
    console.log(`${chosen.size} of ${mutants.length} mutants, seed ${seed}`);
    process.env.SAMPLE_FILE = `${ROOT}${WORK}/sample-${process.pid}.json`;
    writeFileSync(process.env.SAMPLE_FILE, JSON.stringify([...chosen]));
  }
  const scores: Score[] = [];
  const missed: string[] = [];
  for (const target of targets) {
    const all = await mutate(target, concurrency);
    const results = all.filter((one) => chosen?.has(keyOf(one)) ?? true);
    const undetected = results.filter(({ status }) => status === 'Survived' || status === 'NoCoverage');
    scores.push(scoreOf(target.folder, results));
    missed.push(...undetected.map(describe));
  }
  const total = sumOf(scores);
  console.log(`${missed.join('\n')}\n`);
  printTable(scores.length > 1 ? [...scores, total] : scores);
  if (chosen === undefined) {
    const poor = scores.filter((score) => percentOf(score) < threshold);
    for (const { folder } of poor) console.error(`core/${folder} is below ${threshold} %`);
    return poor.length > 0 ? 1 : 0;
  }
  const least = leastDetected(total.mutants, threshold / 100, CHANCE_OF_A_POOR_SAMPLE);
  const detected = detectedIn(total);
  console.log(`${detected} detected; ${least} is the least that ${threshold} % of all may bring`);
  return detected < least ? 1 : 0;
}

await run(main);
