/** Results as recorded in docs/bench: figures, their details and the machine, without paths and host names. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { type Figure, roundedFigure } from './figure.ts';

const FOLDER = new URL('../../docs/bench/', import.meta.url);

export interface RecordedResult<T = unknown> {
  readonly part: string;
  /** Day of the run by the machine's clock. */
  readonly date: string;
  readonly node: string;
  readonly processor: string;
  readonly cores: number;
  /** Mean load of the last minute when the part ended; above the number of cores, other work was running. */
  readonly load: number;
  readonly figures: readonly Figure[];
  /** The measurements behind the figures. */
  readonly details: T;
}

/** Writes the result with four digits of every number. `load` is the mean load of the last minute. */
export function recordResult(part: string, figures: readonly Figure[], details: unknown, load: number): void {
  const [processor] = cpus();
  const result: RecordedResult = {
    part,
    date: new Date().toISOString().slice(0, 10),
    node: process.version,
    processor: processor?.model ?? 'unknown',
    cores: cpus().length,
    load: roundedFigure(load),
    figures,
    details,
  };
  const text = JSON.stringify(
    result,
    (_key, value: unknown) => (typeof value === 'number' ? roundedFigure(value) : value),
    2,
  );
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(new URL(`${part}.json`, FOLDER), `${text}\n`);
}

/** The details of a part that ran before; throws with the command that makes them. */
export function recordedDetails<T>(part: string): T {
  try {
    return (JSON.parse(readFileSync(new URL(`${part}.json`, FOLDER), 'utf8')) as RecordedResult<T>).details;
  } catch {
    throw new Error(`there is no result of ${part}: npm run bench -- ${part}`);
  }
}
