/** Common parts of the fault scenarios: their report, a polled port, and the invariant of all of them. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { DAY_MS, type Instant } from '../../core/reference/time.ts';
import { Refusals, RefusedReply, type Source } from '../../core/upstream/source.ts';
import { type MemoryIngest, startMemoryIngest } from '../builders/memory-ingest.ts';
import { SCRIPTED_PORT, scriptedSource } from '../builders/scripted-source.ts';
import { dumpOf } from '../builders/table-dump.ts';
import { simulatePort } from '../worlds/simulate-port.ts';
import { pollAt } from '../worlds/simulated-polls.ts';

/** One line of the summary: the scenario, the number of runs, and the result. */
export interface FaultReport {
  readonly scenario: string;
  readonly runs: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The scenario found the service wrong; `npm run study -- faults` and the tests fail with it. */
export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export const T0 = Date.UTC(2026, 2, 2);

const encoded = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A port of `days` days from `T0`; each poll shows its current state, like the Hong Kong observations. */
export function polledPort(now: () => Instant, days: number, seed: number): Source {
  const truth = simulatePort(SCRIPTED_PORT, T0 - 5 * DAY_MS, T0 + (days + 2) * DAY_MS, seed);
  return {
    ...scriptedSource(),
    fetch: async () => new Map([['poll.json', encoded(pollAt(truth, now()))]]),
    parse({ fetchedAt, files }) {
      const text = new TextDecoder().decode(files.get('poll.json'));
      if (!text.startsWith('{"kind"')) throw new RefusedReply('not-json', 'the reply is not a poll');
      const poll = { ...JSON.parse(text), observedAt: fetchedAt };
      return { asOfAt: fetchedAt, observations: [poll], refusals: new Refusals(), lists: [] };
    },
  };
}

/** A replay marks its alerts and forecasts as replayed; the comparison ignores the mark. */
const withoutMark = (row: string): string => row.replace(',"replayed":true', '');

/** Rows that must be equal; leases, circuits and failures differ after faults. */
export async function dataOf({ tables }: MemoryIngest): Promise<Record<string, string[]>> {
  const { sourceStatus: _, ...data } = tables;
  const { forecasts = [], raisedAlerts = [], ...rows } = await dumpOf(data);
  return {
    ...rows,
    forecasts: forecasts.map(withoutMark).sort(),
    raisedAlerts: raisedAlerts.map(withoutMark).sort(),
  };
}

/** Throws when the two differ, naming the first row that does. */
export function expectEqualRows(
  what: string,
  found: Record<string, string[]>,
  expected: Record<string, string[]>,
): void {
  if (isDeepStrictEqual(found, expected)) return;
  for (const [table, rows] of Object.entries(expected)) {
    const has = new Set(found[table]);
    const wants = new Set(rows);
    const lost = rows.find((row) => !has.has(row));
    const added = (found[table] ?? []).find((row) => !wants.has(row));
    if (lost !== undefined || added !== undefined)
      throw new BrokenPromise(
        `${what}: ${table} has ${added ?? 'nothing'} in the place of ${lost ?? 'nothing'}`,
      );
  }
  throw new BrokenPromise(`${what}: the tables differ`);
}

type Rows = Awaited<ReturnType<typeof dataOf>>;

/** Rows of replays by source and digest of the archive. */
const replays = new WeakMap<Source, Map<string, Rows>>();

/** The rows of a replay of the archive into empty tables, cached by content of the archive. */
async function replayOf({ archive, clock }: MemoryIngest, source: Source): Promise<Rows> {
  const { id } = source.declaration;
  const fresh = startMemoryIngest({ nowAt: clock.nowAt });
  const digest = createHash('sha256');
  for (const at of await archive.fetches(id, undefined, Number.MAX_SAFE_INTEGER)) {
    const files = (await archive.read(id, at)) ?? new Map<string, Uint8Array>();
    await fresh.archive.write(id, at, files);
    digest.update(`${at}`);
    for (const [name, bytes] of files) digest.update(name).update(bytes);
  }
  const key = digest.digest('hex');
  const made = replays.get(source) ?? new Map<string, Rows>();
  replays.set(source, made);
  const known = made.get(key);
  if (known !== undefined) return known;
  await fresh.pass(source, { ask: false, untilAt: Number.MAX_SAFE_INTEGER });
  const rows = await dataOf(fresh);
  made.set(key, rows);
  return rows;
}

/** Whatever happened, the tables equal those of a replay of the archive into empty tables. */
export async function expectReplayed(what: string, ingest: MemoryIngest, source: Source): Promise<void> {
  // The last pass of every scenario completes unfinished work.
  await ingest.pass(source, { ask: false });
  expectEqualRows(what, await dataOf(ingest), await replayOf(ingest, source));
}
