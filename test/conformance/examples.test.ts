/**
 * Every example runs and prints the recorded output, on the sample at a fixed time. RECORD_EXAMPLES=1
 * rewrites the recorded outputs.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type LocalService, startLocalService } from '../../serve/local-service.ts';
import { extent } from '../builders/extent.ts';
import { FAULTS, type Fault, startFaultServer } from '../unit/client/fault-server.ts';
import { EXAMPLES, exampleFiles, runExample, whyNot } from './example-runner.ts';
import { ASSEMBLY } from './sample-service.ts';
import { isDeployed, keyOf, serviceUrl } from './service.ts';

const SAMPLE_INGEST = fileURLToPath(new URL('../../dist/local/sample-ingest/index.cjs', import.meta.url));
/** A stopped clock, so that outputs do not depend on the duration of a start. */
const AT = Date.parse('2026-11-20T12:05:30Z');

let service: LocalService | undefined;
beforeAll(async () => {
  if (isDeployed) return;
  service = await startLocalService({
    assembly: ASSEMBLY,
    clock: () => AT,
    ingest: { sources: ['sample-simulator'], bundle: SAMPLE_INGEST },
  });
  await service.ingest?.({ source: 'sample-simulator' });
});
afterAll(() => service?.close());

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

/** A start of tsx takes a second, and `npm run check` compiles all examples in TypeScript. */
const isShort = (file: string): boolean => !file.endsWith('.ts') || file.startsWith('quickstart.');

describe('prints the recorded output', () => {
  each(files.filter(extent(isShort, () => true)), async (file) => {
    const ran = await runExample(file, service?.url ?? serviceUrl(), isDeployed ? keyOf('demo') : undefined);
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
const GONE = '{"code":"not_found","message":"Not here.","hint":"Look elsewhere."}';
const gone: Fault = (socket) =>
  void socket.end(
    `HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\nContent-Length: ${GONE.length}\r\nConnection: close\r\n\r\n${GONE}`,
  );

describe('retries after a 503, and prints only the good response', () => {
  each(
    files.filter((file) => file.startsWith('retry.')),
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
