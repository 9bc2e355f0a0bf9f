/** The trend recomputed from the CSV of the waits alone, by a program that shares no code with the service. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import { addDays, type Day, endOfDay } from '../../core/reference/time.ts';
import { type SpreadDay, waitHistory } from '../../portal/chart/wait-spread.ts';
import type { MemoryIngest } from './memory-ingest.ts';
import { readHandlers } from './read-handlers.ts';

const PROGRAM = fileURLToPath(new URL('../recompute/trend-from-waits.mjs', import.meta.url));

/** The lines `day,average,delayed share,flow` that follow from the waits, of the days of the trend; throws where an average differs. */
export function recomputed(waits: string, trend: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'recomputed-'));
  try {
    const [waitsFile, trendFile] = [join(folder, 'waits.csv'), join(folder, 'trend.csv')];
    writeFileSync(waitsFile, waits);
    writeFileSync(trendFile, trend);
    const text = execFileSync(process.execPath, [PROGRAM, waitsFile, trendFile], { encoding: 'utf8' });
    return text.trimEnd().split('\n').slice(1);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Compares the trend of the 30 days up to `until` with what the program makes of the waits, and the delayed shares and
 * the flow terms with those behind the scores, and the averages that the portal draws. Returns the number of days compared.
 */
export async function daysRecomputed(ingest: MemoryIngest, port: string, until: Day): Promise<number> {
  const reads = readHandlers(ingest.tables, () => ingest.clock.nowAt);
  const path = { UNLOCODE: port };
  const format = ['csv'];
  const trend = await reads.trend({ path, query: { window: ['30d'], until: [until], format } });
  const waits = await reads.waits({ path, query: { from: [addDays(until, -90)], to: [until], format } });
  expect([trend.status, waits.status]).toEqual([200, 200]);
  if (trend.body.trimEnd().split('\n').length === 1) return 0;
  const days = recomputed(waits.body, trend.body);
  const inPortal = await reads.waits({ path, query: { from: [addDays(until, -90)], to: [until] } });
  const { spreads } = waitHistory(JSON.parse(inPortal.body) as SpreadDay[]);
  const stored = await ingest.stores.dailyMetrics.between(port, { from: addDays(until, -30), to: until });
  const terms = new Map(stored.map((row) => [row.day, row]));
  for (const line of days) {
    const [day = '', average, share, flow] = line.split(',');
    expect([day, spreads.get(day)?.averageHours]).toEqual([day, Number(average)]);
    expect([day, Number(share)]).toEqual([day, terms.get(day)?.delayedShare]);
    // The running day's flow is that of 24 hours, which the waits do not state; that of a closed port needs no vessel that waits.
    const isStated = endOfDay(day) <= ingest.clock.nowAt && terms.get(day)?.stoppedShare === undefined;
    if (flow !== '' && isStated) expect([day, Number(flow)]).toEqual([day, terms.get(day)?.flowTerm]);
  }
  return days.length;
}
