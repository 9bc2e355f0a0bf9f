/** Processor time of one warm invocation of each read handler: the built bundle in a process of its own, the store's responses from memory. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HANDLERS_DIR } from '../../bin/cdk.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';
import { SHARES } from './cpu-shares.ts';
import { type Figure, roundedFigure } from './figure.ts';
import type { InvocationFigures } from './invocation-program.ts';
import { measureInvocations, startMeasuredService } from './service-process.ts';

export type Invocations = Readonly<Record<OperationId, InvocationFigures>>;

export async function invocations(count: number, rounds: number): Promise<Invocations> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-invocation-'));
  const service = await startMeasuredService({ folder, readable: true });
  try {
    return await measureInvocations({
      assembly: join(folder, 'assembly'),
      handlers: HANDLERS_DIR,
      readableHandlers: join(folder, 'lambdas'),
      storeEndpoint: service.storeEndpoint,
      invocations: count,
      rounds,
    });
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The promise: microseconds of processor time of one invocation that asks the limiter and, where nothing is cached, the store. */
const MOST_MICROS = 300;
/** More for each kilobyte of a response beyond the size of a trend: reading, sorting, writing and hashing it takes that. */
const LONGEST_BYTES = 4096;
const MICROS_PER_KILOBYTE = 30;

const mostMicros = (responseBytes: number): number =>
  MOST_MICROS + Math.ceil((Math.max(0, responseBytes - LONGEST_BYTES) / 1024) * MICROS_PER_KILOBYTE);

export const invocationFigures = (measured: Invocations): Figure[] =>
  Object.entries(measured).flatMap(([operation, figures]) => {
    const { storeAskedMicros, cachedMicros, responseBytes, shares } = figures;
    const parts = SHARES.filter((share) => shares[share] >= 0.005).map(
      (share) => `${share} ${roundedFigure(Math.round(shares[share] * storeAskedMicros))}`,
    );
    const asked: Figure = {
      what: `${operation}: warm invocation`,
      value: storeAskedMicros,
      unit: 'µs',
      against: `${responseBytes} bytes; ${parts.join(', ')}`,
      atMost: mostMicros(responseBytes),
    };
    const cached: Figure = {
      what: `${operation}: warm invocation, response cached`,
      value: cachedMicros,
      unit: 'µs',
      against: 'the limiter is used as well',
      atMost: mostMicros(responseBytes),
    };
    return ROUTES[operation as OperationId].authenticated ? [asked, cached] : [asked];
  });
