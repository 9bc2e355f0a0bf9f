/** `npm run smoke`: runs the rows of the conformance suite that need no data of their own against a deployed stage. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { command, parse, run, UsageError } from '../local/command-line.ts';
import {
  FOUND,
  type FoundData,
  findData,
  type JestReport,
  rowsToRun,
  toOutcome,
} from '../tools/smoke/outcome.ts';

const KEYS = {
  lite: 'a key on Lite',
  starter: 'a key on Starter',
  pro: 'a key on Pro',
  demo: 'the demo key',
  disabled: 'a disabled key',
  unplanned: 'a key that is not assigned to a plan',
  small:
    'a new key on a plan with a burst of 5 and a monthly quota of 20, which the rows about limits use up',
} as const;

/** The keys for which one ordinary key is used. */
const ORDINARY: readonly string[] = ['demo', 'starter', 'pro'];

const ABOUT = `Runs the conformance suite against a deployed stage. Keys may come from the environment instead: KEY, KEY_LITE,
KEY_STARTER and so on. Rows that need a key or a function that is not given are left out.`;

/** Throws `UsageError` without an address or an ordinary key. */
function readOptions() {
  const definition = command('npm run smoke --', ABOUT)
    .option(
      '--url <address>',
      "base address of the stage, with the stage's name where it has one (or BASE_URL)",
    )
    .option('--clock-offset <ms>', "milliseconds by which the stage's clock is ahead", '0')
    .option('--at-least <rows>', 'fail if fewer rows pass', '1')
    .option(
      '--breakable <function>',
      'name of the function behind /v1/hs/{code}/imports, which three rows break for a minute each; credentials come from the environment',
    )
    .option('--key <secret>', 'a key on Pro or Starter; stands for both, and for the demo key');
  for (const [name, about] of Object.entries(KEYS)) definition.option(`--${name} <secret>`, about);
  const values = parse<Readonly<Record<string, string | undefined>>>(definition);
  const given = (name: string, variable: string): string | undefined => {
    const value = values[name] ?? process.env[variable];
    return value === '' ? undefined : value;
  };
  const url = given('url', 'BASE_URL')?.replace(/\/+$/, '');
  if (url === undefined || !/^https?:\/\/[^/?#]/.test(url))
    throw new UsageError('--url must be an http or https address');
  const key = given('key', 'KEY');
  const keys: Record<string, string> = {};
  for (const name of Object.keys(KEYS)) {
    const secret = given(name, `KEY_${name.toUpperCase()}`) ?? (ORDINARY.includes(name) ? key : undefined);
    if (secret !== undefined) keys[name] = secret;
  }
  const { pro } = keys;
  if (pro === undefined) throw new UsageError('--key is missing: the rows need a key on Pro or Starter');
  const number = (name: string): number => {
    const value = Number(values[name]);
    if (!Number.isSafeInteger(value)) throw new UsageError(`--${name} must be a whole number`);
    return value;
  };
  const { breakable } = values;
  return { url, pro, keys, breakable, clockOffsetMs: number('clockOffset'), atLeast: number('atLeast') };
}

/** The variables in which the suite expects what was found. */
const VARIABLES: Readonly<Record<keyof FoundData, string>> = {
  port: 'PORT_WITH_DATA',
  history: 'PORT_WITH_HISTORY',
  alerts: 'PORT_WITH_ALERTS',
  code: 'HS_WITH_DATA',
};

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Keys have limits, so a test may have to wait many times. */
const TEST_MS = 900_000;

function runSuite(environment: NodeJS.ProcessEnv, rows: RegExp): JestReport {
  const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
  const file = join(folder, 'report.json');
  const jest = ['--no-warnings', 'node_modules/jest/bin/jest.js', 'test/conformance'];
  const options = [
    '--runInBand',
    '--silent',
    '--json',
    '--outputFile',
    file,
    '--testTimeout',
    String(TEST_MS),
  ];
  try {
    spawnSync(process.execPath, [...jest, ...options, '--testNamePattern', rows.source], {
      cwd: ROOT,
      env: { ...process.env, NO_COLOR: '1', ...environment },
      // This program prints its own report; that of the runner would repeat addresses and messages.
      stdio: ['ignore', 'ignore', 'ignore'],
    });
    return JSON.parse(readFileSync(file, 'utf8'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function smoke(): Promise<boolean> {
  const { url, pro, keys, breakable, clockOffsetMs, atLeast } = readOptions();
  const found = await findData(url, pro);
  const variables: Record<string, string> = {};
  for (const name of Object.keys(VARIABLES) as (keyof FoundData)[]) {
    const [some, none] = FOUND[name];
    const value = found[name];
    console.log(value === undefined ? none : `${some} ${value}`);
    if (value !== undefined) variables[VARIABLES[name]] = value;
  }
  const environment = {
    BASE_URL: url,
    CLOCK_OFFSET_MS: String(clockOffsetMs),
    ...Object.fromEntries(
      Object.entries(keys).map(([name, secret]) => [`KEY_${name.toUpperCase()}`, secret]),
    ),
    ...variables,
    ...(breakable !== undefined && { BREAKABLE_FUNCTION: breakable }),
  };
  const outcome = toOutcome(runSuite(environment, rowsToRun(found)), found);
  for (const [reason, titles] of outcome.leftOut) {
    console.log(`\nskipped, ${reason}:`);
    for (const title of titles) console.log(`  ${title}`);
  }
  for (const { title, message } of outcome.informative)
    console.log(
      `\nDIFFERENT FROM THE LOCAL GATEWAY, which does not fail the smoke test: ${title}\n${message}`,
    );
  for (const { title, message } of outcome.failed) console.error(`\nFAILED ${title}\n${message}`);
  const leftOut = [...outcome.leftOut.values()].flat().length;
  console.log(
    `\nsmoke: ${outcome.passed} passed, ${outcome.failed.length} failed, ${outcome.informative.length} only reported, ${leftOut} skipped`,
  );
  if (outcome.passed < atLeast)
    console.error(`${outcome.passed} rows passed, and at least ${atLeast} are expected to`);
  return outcome.failed.length === 0 && outcome.passed >= atLeast;
}

await run(async () => ((await smoke()) ? 0 : 1));
