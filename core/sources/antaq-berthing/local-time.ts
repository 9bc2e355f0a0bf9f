/** ANTAQ's times: day first, by the clock of the port, without a zone. */
import { DateTime } from 'luxon';
import type { Instant } from '../../reference/time.ts';

/** `31/01/2025 08:15:00` in `zone` (IANA); undefined when it is blank, of another form, or no real date. */
export function portTime(text: string | undefined, zone: string): Instant | undefined {
  const match = /^(\d{2})\/(\d{2})\/(\d{4}) (\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text?.trim() ?? '');
  if (!match) return undefined;
  const [day = 0, month = 0, year = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const local = DateTime.fromObject({ year, month, day, hour, minute, second }, { zone });
  return local.isValid ? local.toMillis() : undefined;
}

/** Hours with a decimal comma; undefined when blank or marked as an outlier (`Valor Discrepante`). */
export function hours(text: string | undefined): number | undefined {
  const cell = text?.trim() ?? '';
  return /^-?\d+(?:,\d+)?$/.test(cell) ? Number(cell.replace(',', '.')) : undefined;
}

/** ANTAQ's mark for a time that it considers wrong. */
export const isDiscrepant = (text: string | undefined): boolean => /discrepante/i.test(text ?? '');
