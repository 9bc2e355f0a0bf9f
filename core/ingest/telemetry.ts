/** Logs a pass with its counts and ages, its refusals and its notices; the dashboard reads these lines. */
import type { Log } from '../contracts/log.ts';
import { type Instant, MINUTE_MS } from '../reference/time.ts';
import type { PassOutcome } from './pass.ts';

/** Notices that are logged for one pass, so that one bad reply does not flood the log. */
const NOTICES_LOGGED = 20;

export function createPassRecorder(log: Log): (outcome: PassOutcome, nowAt: Instant) => void {
  return ({ status, refusals, notices, ...outcome }, nowAt) => {
    const { source, state } = outcome;
    const noticed = (reason: string): number => notices.filter((notice) => notice.reason === reason).length;
    const line = {
      ...outcome,
      refused: refusals.count,
      unknownPlaces: noticed('unknown-place'),
      contradictedCalls: noticed('contradicted-call'),
      withdrawnCalls: noticed('withdrawn-call'),
      ...(status?.asOfAt !== undefined && { dataAgeMinutes: (nowAt - status.asOfAt) / MINUTE_MS }),
    };
    if (state === 'failed' || state === 'held') log.warn('pass', line);
    else log.info('pass', line);
    for (const refusal of refusals.first) log.warn('refused', { source, ...refusal });
    for (const notice of notices.slice(0, NOTICES_LOGGED))
      log[notice.reason === 'revoked' ? 'warn' : 'info']('notice', { source, ...notice });
  };
}
