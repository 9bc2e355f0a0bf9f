/** Where recorded upstream data lie, when they lie beside the checkout; tests that need them skip without. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Absolute path of `relative` in the folder of shared data, undefined when it is not there. */
export function sharedPath(relative: string): string | undefined {
  const path = fileURLToPath(new URL(`../../../shared/${relative}`, import.meta.url));
  return existsSync(path) ? path : undefined;
}
