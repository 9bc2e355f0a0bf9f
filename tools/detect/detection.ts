/** The output of `detect` for series files: the change points of each, by name. */
import { detectChangePoints } from '../../core/metrics/change-point.ts';
import { readSeries, UnusableSeries } from './series-file.ts';

/** Zero-based indices of the first observation of each new regime, by series name, in the order of the files. */
export async function detectInFiles(paths: readonly string[]): Promise<Record<string, number[]>> {
  const found = new Map<string, number[]>();
  for (const path of paths) {
    const { name, values } = await readSeries(path);
    if (found.has(name)) throw new UnusableSeries(`${path}: a second series is named ${name}`);
    found.set(name, detectChangePoints(values));
  }
  return Object.fromEntries(found);
}
