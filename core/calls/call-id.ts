/** Identity of port calls whose source gives them none. */
import { createHash } from 'node:crypto';
import type { Locode } from '../reference/locode.ts';
import { formatInstant, type Instant } from '../reference/time.ts';

const ID_LENGTH = 16;

/** Stable id of a visit, from the first time that was ever stated for it: its ATA, or its ATD when no ATA is known. */
export function callIdOf(
  port: Locode,
  vesselId: string,
  first: { readonly event: 'ata' | 'atd'; readonly at: Instant },
): string {
  const identity = [port, vesselId, first.event, formatInstant(first.at)].join('|');
  return createHash('sha256').update(identity).digest('hex').slice(0, ID_LENGTH);
}
