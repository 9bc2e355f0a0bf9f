/** Faults of disk and files, recognized by the code or the words of an error, and what an operator does about each. */
import { errorCode, errorText } from './start-error.ts';

/** The library of the store gives no code, only the system's words for it. */
const FULL = /\bE(?:NOSPC|DQUOT)\b|no space left on device|disk quota exceeded/i;
const TOO_LARGE = /\bEFBIG\b|file too large/i;
const DENIED = /\bE(?:ACCES|PERM|ROFS)\b|permission denied|read-only file system/i;

/** Words of an error after which the store takes no write until there is space, and nothing is lost. */
export const OUT_OF_SPACE = new RegExp(`${FULL.source}|${TOO_LARGE.source}`, 'i');

const REMEDIES = [
  [FULL, 'the disk is full: free some space and try again, nothing is lost'],
  [
    TOO_LARGE,
    'a file is larger than this process may write (ulimit -f): raise the limit and try again, nothing is lost',
  ],
  [DENIED, 'no permission: make it readable and writable for this user'],
] as const;

/** One line: the fault and what to do about it; the error's own words for a fault that is not one of these. */
export function diskFault(thrown: unknown): string {
  const text = `${errorCode(thrown) ?? ''} ${errorText(thrown)}`.trim();
  const [line = ''] = errorText(thrown).split('\n', 1);
  return REMEDIES.find(([words]) => words.test(text))?.[1] ?? line;
}

/** Whether the fault is one of the disk or of permissions, so that the bytes themselves may be good. */
export const isDiskFault = (text: string): boolean => REMEDIES.some(([words]) => words.test(text));
