/** The options of `npm start`, and each wrong one with its line. */
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { readServeOptions } from '../../../local/start-options.ts';

describe('options', () => {
  it('have defaults', () => {
    expect(readServeOptions([])).toEqual({
      port: 3000,
      host: [],
      dataDir: '.data',
      live: false,
      recorded: false,
      sample: false,
      ingest: true,
      closeAtOnce: false,
    });
  });

  it('are all taken', () => {
    const args =
      '--port 0 --host box.example --host proxy --data-dir=d --replay r --now 2025-08-18T12:30:00Z --releases r/releases --no-ingest --close-at-once';
    expect(readServeOptions(args.split(' '))).toEqual({
      port: 0,
      host: ['box.example', 'proxy'],
      dataDir: 'd',
      releases: 'r/releases',
      live: false,
      recorded: false,
      sample: false,
      replay: 'r',
      now: Date.UTC(2025, 7, 18, 12, 30),
      ingest: false,
      closeAtOnce: true,
    });
    for (const name of ['live', 'recorded', 'sample'])
      expect(readServeOptions([`--${name}`])).toMatchObject({ [name]: true });
  });

  it.each([
    [['--port', 'abc'], '--port (or PORT) must be a number from 0 to 65535, not abc'],
    [['--port', '65536'], '--port (or PORT) must be a number from 0 to 65535, not 65536'],
    [['--port', '1e3'], '--port (or PORT) must be a number'],
    [['--port=-1'], '--port (or PORT) must be a number'],
    [['--port'], "option '--port <n>' argument missing"],
    [['--host', 'a:80'], '--host must be a host name without port, not a:80'],
    [['--frob'], "unknown option '--frob'"],
    [['extra'], 'too many arguments'],
    [['--live=yes'], "unknown option '--live=yes'"],
    [['--data-dir', ''], '--data-dir must name a folder'],
    [['--replay='], '--replay must name a folder'],
    [['--live', '--replay', 'x'], '--live and --replay exclude each other'],
    [['--recorded', '--live'], '--live and --recorded exclude each other'],
    [['--recorded', '--replay', 'x'], '--recorded and --replay exclude each other'],
    [['--sample', '--recorded'], '--recorded and --sample exclude each other'],
    [['--live', '--now', '2025-01-01T00:00:00Z'], '--now works with --recorded, --sample or --replay only'],
    [['--now', '2025-02-30T00:00:00Z'], '--now must be a date and time like'],
    [['--now', '1999-12-31T23:59:59Z'], '--now must be from 2000-01-01T00:00:00Z to 2099-12-31T23:59:59Z'],
    [['--now', '9999-12-31T23:59:59Z'], '--now must be from 2000-01-01T00:00:00Z to 2099-12-31T23:59:59Z'],
    [['--now', '2025-01-01'], '--now must be a date and time like'],
  ])('%j are refused in one line', (args, complaint) => {
    expect(() => readServeOptions(args)).toThrow(complaint);
    expect(() => readServeOptions(args)).toThrow(/^[^\n]+$/);
  });
});

it('take the port of the environment, which the command line overrides', () => {
  const before = process.env.PORT;
  process.env.PORT = '3111';
  try {
    expect([readServeOptions([]).port, readServeOptions(['--port', '0']).port]).toEqual([3111, 0]);
  } finally {
    if (before === undefined) delete process.env.PORT;
    else process.env.PORT = before;
  }
});

it('the command ends with one line and a failure on a bad option', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'bin/serve.ts', '--frob'],
    { encoding: 'utf8' },
  );
  expect([status, stdout, stderr]).toEqual([2, '', "unknown option '--frob' (--help lists the options)\n"]);
});
