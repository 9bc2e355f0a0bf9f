/** MiniStack on a free port of the loopback, patched by `.ci/ministack/server.py`, and the commands of an operator against it. */
import { execFile, spawn } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVER = '.ci/ministack/server.py';
const START_MS = 60_000;
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
export const REGION = 'us-east-1';
/** The account that MiniStack emulates. */
const ACCOUNT = '000000000000';
export const CREDENTIALS = { accessKeyId: 'emulated', secretAccessKey: 'emulated' };

const run = promisify(execFile);

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** The variables of this process without any that could lead to a real account. */
const withoutAws = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(AWS|CDK)_/.test(name)));

export interface Emulator {
  readonly endpoint: string;
  /** Empty when the emulator starts, and removed when it stops. */
  readonly folder: string;
  /** Variables of an operator's shell, with the emulator as AWS. */
  readonly environment: NodeJS.ProcessEnv;
  /** Runs a program in the repository, with the emulator as AWS; returns its output, and throws with it on failure. */
  command(program: string, args: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/**
 * What an operator has in the home directory: answers to questions of the CDK, no schedules, because sources are never
 * fetched here, and the account of prod.
 */
const cdkDefaults = (account: string) => ({
  requireApproval: 'never',
  notices: false,
  progress: 'events',
  context: { schedules: 'false', stages: { prod: { account, region: REGION, waf: false } } },
});

/** Starts it with the Python that has MiniStack installed; `awsFolder` has the AWS CLI in it. */
export async function startEmulator(python: string, awsFolder: string): Promise<Emulator> {
  const folder = mkdtempSync(join(tmpdir(), 'emulated-deploy-'));
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const log = openSync(join(folder, 'log'), 'w');
  mkdirSync(join(folder, 'tmp'));
  mkdirSync(join(folder, 'home'));
  writeFileSync(join(folder, 'home/.cdk.json'), JSON.stringify(cdkDefaults(ACCOUNT)));
  const server = spawn(python, [join(ROOT, SERVER)], {
    cwd: folder,
    env: {
      ...withoutAws(),
      BIND_HOST: '127.0.0.1',
      GATEWAY_PORT: String(port),
      MINISTACK_HOST: '127.0.0.1',
      // Functions run as processes of this machine; without the socket it asks no container daemon.
      DOCKER_HOST: `unix://${folder}/no-daemon`,
      TMPDIR: join(folder, 'tmp'),
      STATE_DIR: join(folder, 'state'),
      S3_DATA_DIR: join(folder, 's3'),
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    },
    stdio: ['ignore', log, log],
  });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const close = async (): Promise<void> => {
    server.kill();
    await ended;
    closeSync(log);
    rmSync(folder, { recursive: true, force: true });
  };
  const responds = () =>
    fetch(`${endpoint}/_ministack/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  for (const started = Date.now(); !(await responds()); await new Promise((next) => setTimeout(next, 100))) {
    if (server.exitCode === null && Date.now() - started < START_MS) continue;
    const said = readFileSync(join(folder, 'log'), 'utf8');
    await close();
    throw new Error(`MiniStack did not start:\n${said}`);
  }
  const environment = {
    ...withoutAws(),
    HOME: join(folder, 'home'),
    PATH: `${awsFolder}:${process.env.PATH}`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
    AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_CONFIG_FILE: '/dev/null',
    AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_PAGER: '',
    CDK_DISABLE_CLI_TELEMETRY: 'true',
    NO_COLOR: '1',
  };
  return {
    endpoint,
    folder,
    environment,
    close,
    async command(program, args) {
      try {
        const options = { cwd: ROOT, env: environment, maxBuffer: MAX_OUTPUT_BYTES };
        const { stdout } = await run(program, args, options);
        return stdout;
      } catch (thrown) {
        const { stdout = '', stderr = '' } = thrown as { stdout?: string; stderr?: string };
        throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: thrown });
      }
    },
  };
}
