/** The average wait of a port in words, and what is said in its place where too few vessels have berthed to average. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import { hoursText } from './text.ts';

type Basis = PortRecord['wait_basis'];

/** Waits that are not over are in the figure: fewer than 20 vessels berthed in 28 days. */
export const isEstimate = (basis: Basis): boolean => basis === 'mixed' || basis === 'open';

export const TOO_FEW = 'too few berthed to average';

/** `average wait for a berth 29 h`. */
export const averageWaitText = (hours: number, basis: Basis): string =>
  isEstimate(basis) ? TOO_FEW : `average wait for a berth ${hoursText(hours)}`;
