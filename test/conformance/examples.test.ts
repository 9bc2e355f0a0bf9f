/**
 * The README's sessions show the real responses (UPDATE_README=1 rewrites them), and every example prints the recorded
 * output (RECORD_EXAMPLES=1 rewrites it), both on the data that `npm start` serves.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { exampleRequest } from '../../core/contracts/route.ts';
import { OPERATION_IDS, type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { createPass } from '../../core/ingest/pass.ts';
import type { Instant } from '../../core/reference/time.ts';
import { importRelease } from '../../core/release/import-release.ts';
import { openRelease } from '../../core/release/release-reader.ts';
import { loadSource } from '../../core/sources/load-sources.ts';
import { createFolderArchive } from '../../core/store/raw-archive.ts';
import { chooseMode } from '../../local/data-mode.ts';
import { type LocalService, startLocalService } from '../../local/local-service.ts';
import { readServeOptions } from '../../local/start-options.ts';
import { duckdbRows } from '../builders/duckdb.ts';
import { extent } from '../builders/extent.ts';
import { endpointsOver, handlersBehind } from '../builders/keyed-handlers.ts';
import { startMemoryIngest } from '../builders/memory-ingest.ts';
import { UNLIMITED } from '../builders/read-handlers.ts';
import { FAULTS, type Fault, startFaultServer } from '../unit/client/fault-server.ts';
import { EXAMPLES, exampleFiles, runExample, whyNot } from './example-runner.ts';
import { exchange } from './exchange.ts';
import { isDeployed, keyOf, serviceUrl } from './service.ts';

/** The service with the data that `npm start` serves: the rows are in memory, which is faster than the store of a start. */
async function startRecorded(): Promise<LocalService> {
  // The data of a start are left alone.
  const options = readServeOptions(['--no-ingest']);
  const { nowAt = 0, rawArchive = '', ownRelease = '', firstPass } = chooseMode(options);
  const ingest = startMemoryIngest({ nowAt });
  await importRelease(await openRelease(ownRelease), ingest.tables, () => nowAt);
  const notes = await mkdtemp(join(tmpdir(), 'notes-'));
  const pass = createPass({ ...ingest.dependencies(), archive: createFolderArchive(rawArchive, notes) });
  for (const id of new Set(firstPass.map(({ event }) => event.source))) {
    const source = await loadSource(id);
    if (source !== undefined) await pass(source, { ask: false, untilAt: nowAt });
  }
  const now = (): Instant => nowAt;
  const endpoints = endpointsOver(ingest.tables, now, { replays: true });
  return startLocalService({
    clock: now,
    handlers: handlersBehind(endpoints, { ...UNLIMITED, now }),
    releases: ownRelease,
  });
}

let recorded: LocalService;
beforeAll(async () => {
  if (!isDeployed) recorded = await startRecorded();
});
afterAll(() => recorded?.close());
/** The body that the recorded start returns. */
const bodyOf = async (path: string, key = keyOf('bench')): Promise<string> =>
  (await exchange(recorded.url, path, { key })).text;

const files = exampleFiles();
/** Examples that run on this machine, and the others with their reasons. */
const each = (names: readonly string[], test: (file: string) => Promise<void>): void => {
  for (const file of names) {
    const reason = whyNot(file);
    if (reason === undefined) it(file, () => test(file));
    else it.skip(`${file} (${reason})`, () => undefined);
  }
};

it('every example is there in curl, TypeScript and Python', () => {
  const names = [...new Set(files.map((file) => file.replace(/\.\w+$/, '')))];
  expect(names).toEqual(['alerts', 'hs-imports', 'quickstart', 'retry', 'trend-csv']);
  expect(files).toEqual(names.flatMap((name) => ['py', 'sh', 'ts'].map((end) => `${name}.${end}`)));
});

/** Each example is a process or more; `npm run check` compiles all that are in TypeScript. */
const isShort = (file: string): boolean => file.startsWith('quickstart.') || file.endsWith('.sh');

describe('prints the recorded output', () => {
  each(files.filter(extent(isShort, () => true)), async (file) => {
    const ran = await runExample(
      file,
      isDeployed ? serviceUrl() : recorded.url,
      isDeployed ? keyOf('demo') : undefined,
    );
    expect({ stderr: ran.stderr, exitCode: ran.exitCode }).toEqual({ stderr: '', exitCode: 0 });
    expect(ran.stdout.trim()).not.toBe('');
    // A deployed stage has data of its own.
    if (isDeployed) return;
    const shown = `${EXAMPLES}/output/${file}.txt`;
    if (process.env.RECORD_EXAMPLES === '1') {
      mkdirSync(`${EXAMPLES}/output`, { recursive: true });
      writeFileSync(shown, `${ran.stdout.trimEnd()}\n`);
    }
    expect(ran.stdout.trimEnd()).toBe(readFileSync(shown, 'utf8').trimEnd());
  });
});

const busy: Fault = (socket) =>
  void socket.end(
    'HTTP/1.1 503 Busy\r\nRetry-After: 1\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
  );
const nothing: Fault = (socket) =>
  void socket.end(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]',
  );
const GONE = '{"code":"not_found","message":"Not here.","hint":"Look elsewhere."}';
const gone: Fault = (socket) =>
  void socket.end(
    `HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: ${GONE.length}\r\nConnection: close\r\n\r\n${GONE}`,
  );

describe('retries after a 503, and prints only the good response', () => {
  each(
    files.filter((file) => file.startsWith('retry.') && extent(isShort(file), true)),
    async (file) => {
      const server = await startFaultServer([busy, FAULTS.good]);
      const ran = await runExample(file, server.url).finally(server.close);
      expect(server.heads).toHaveLength(2);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout.trim()).toBe(
        file.endsWith('.sh') ? '[{"source":"x","last_fetch_iso":"2026-11-20T12:00:00Z"}]' : 'x',
      );
    },
  );
});

describe('says that a port without an alert has no figures either', () => {
  each(
    files.filter((file) => file.startsWith('alerts.') && extent(isShort(file), true)),
    async (file) => {
      const server = await startFaultServer([nothing]);
      const ran = await runExample(file, server.url).finally(server.close);
      expect(ran.stdout).toMatch(/\b0 days with figures\n$/);
    },
  );
});

describe('fails at once on a 404, without printing the key', () => {
  const some = files.filter((file) => extent(file.startsWith('quickstart.'), true));
  each(some, async (file) => {
    const server = await startFaultServer([gone]);
    const ran = await runExample(file, server.url, keyOf('demo')).finally(server.close);
    expect(server.heads).toHaveLength(1);
    expect(ran.exitCode).not.toBe(0);
    expect(ran.stdout + ran.stderr).not.toContain(keyOf('demo'));
  });
});

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const COMMAND = /^\$ curl -s -H 'X-API-Key: (\S+)' 'http:\/\/127\.0\.0\.1:3000(\S+)'(?: \| tail -n (\d+))?\n/;

/** The text below a heading of the README, up to the next one. */
const sectionOf = (text: string, heading: string): string =>
  text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const consoleBlocks = (section: string): string[] =>
  [...section.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = '']) => block);

/** Ids differ from request to request. */
const withoutId = (text: string): string => text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

const lastLines = (text: string, count: number): string =>
  `${text.trimEnd().split('\n').slice(-count).join('\n')}\n`;

type ResponseOf = (path: string, key: string | undefined) => Promise<string>;

(isDeployed ? describe.skip : describe)('the README', () => {
  /** The expected block: its command, and the response of the running service. */
  async function run(responseOf: ResponseOf, block: string): Promise<string> {
    const [command = '', key, path = '', tail] = COMMAND.exec(block) ?? [];
    expect(command).not.toBe('');
    const text = await responseOf(path, key);
    return `${command}${lastLines(text, Number(tail ?? Number.POSITIVE_INFINITY))}`;
  }

  /** Compares the blocks below a heading with the responses, or writes them. */
  async function compare(heading: string, responseOf: ResponseOf): Promise<void> {
    const readme = readFileSync(README, 'utf8');
    const section = sectionOf(readme, heading);
    const blocks = consoleBlocks(section);
    expect(blocks.length).toBeGreaterThanOrEqual(2);
    const responses = await Promise.all(blocks.map((block) => run(responseOf, block)));
    if (process.env.UPDATE_README === undefined)
      expect(blocks.map(withoutId)).toEqual(responses.map(withoutId));
    else {
      const updated = blocks.reduce(
        (text, block, i) => text.replace(block, () => responses[i] ?? ''),
        section,
      );
      writeFileSync(
        README,
        readme.replace(section, () => updated),
      );
    }
  }

  it('shows the real responses under "A session"', async () => compare('A session', bodyOf));

  it('shows the real responses under "Other data"', () =>
    compare('Other data', async (path, key) => (await exchange(serviceUrl(), path, { key })).text));

  it('names a file of the dataset that the first start serves', async () => {
    const [, path = ''] =
      /FROM 'http:\/\/127\.0\.0\.1:3000(\/data\/\S+\.parquet)'/.exec(readFileSync(README, 'utf8')) ?? [];
    const response = await fetch(recorded.url + path);
    expect(response.status).toBe(200);
    const folder = await mkdtemp(join(tmpdir(), 'dataset-'));
    const file = join(folder, 'part-0.parquet');
    writeFileSync(file, Buffer.from(await response.arrayBuffer()));
    expect(await duckdbRows(`SELECT count(*)::INTEGER AS rows FROM '${file}'`)).not.toEqual([{ rows: 0 }]);
  });
});

/** Whether every value of `part` is in `whole`; elements of a list in their order, others may be between them. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    let from = 0;
    return part.every((value) => {
      const found = whole.findIndex((other, index) => index >= from && isPartOf(value, other));
      from = found + 1;
      return found !== -1;
    });
  }
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null)
    return part === whole;
  return (
    Object.keys(part).join() === Object.keys(whole).join() &&
    Object.entries(part).every(([name, value]) => isPartOf(value, (whole as Record<string, unknown>)[name]))
  );
}

/** Values besides those of the parameters' examples. The port lists no single stays of Kaohsiung. */
const ASKED: Readonly<Partial<Record<OperationId, string>>> = {
  dwell: '/v1/ports/HKHKG/dwell?days=1',
  alerts: '/v1/ports/TWKHH/alerts?days=30',
  alertFeed: '/v1/alerts?since=2025-09-01',
};

(isDeployed ? describe.skip : describe)('the OpenAPI document shows parts of real responses', () => {
  // The time of the probe is that of the request.
  it.each(OPERATION_IDS.filter((id) => id !== 'health'))('%s', async (id) => {
    const path = ASKED[id] ?? exampleRequest(ROUTES[id], { UNLOCODE: 'TWKHH' });
    const body = JSON.parse(await bodyOf(path));
    const { example } = ROUTES[id];
    if (!isPartOf(example, body)) expect(body).toEqual(example);
  });
});
