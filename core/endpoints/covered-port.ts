/** Tells a covered port that has nothing to say from one that is not covered. */
import { ApiError } from '../contracts/errors.ts';
import type { Locode } from '../reference/locode.ts';
import type { PortStore } from '../store/ports.ts';

export const notCovered = (port: Locode): ApiError =>
  new ApiError('not_found', `${port} is not covered.`, { hint: 'GET /v1/ports lists the covered ports.' });

/** The rows as they are; when there are none, a second look makes sure that the port is covered, else `not_found`. */
export async function ofCoveredPort<T>(
  rows: readonly T[],
  port: Locode,
  ports: Pick<PortStore, 'get'>,
): Promise<readonly T[]> {
  if (rows.length === 0 && (await ports.get(port)) === undefined) throw notCovered(port);
  return rows;
}
