/** The two time formats of the reports, both in Hong Kong time. */
import { DateTime } from 'luxon';
import { DAY_MS, type Instant } from '../../reference/time.ts';

const HONG_KONG = { zone: 'Asia/Hong_Kong', locale: 'en-US' } as const;

/** Built once, because building a parser costs more than parsing a time. */
const parserOf = (format: string) => DateTime.buildFormatParser(format, HONG_KONG);

const FORMATS: readonly { readonly form: RegExp; readonly parser: ReturnType<typeof parserOf> }[] = [
  { form: /^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}$/, parser: parserOf('yyyy/MM/dd HH:mm') },
  { form: /^\d{2}-[A-Za-z]{3}-\d{4} \d{2}:\d{2}$/, parser: parserOf('dd-MMM-yyyy HH:mm') },
];

/** Clocks differ and entries are mistyped; a time further ahead of the fetch than this is refused. */
const FURTHEST_AHEAD_MS = DAY_MS;

export type TimeFault = 'impossible-time' | 'future-time';

/** Parses a time of a report fetched at `fetchedAt`; returns a fault for an invalid time or one in the future. */
export function readTime(text: string, fetchedAt: Instant): Instant | TimeFault {
  const known = FORMATS.find(({ form }) => form.test(text));
  const time = known && DateTime.fromFormatParser(text, known.parser, HONG_KONG);
  if (time === undefined || !time.isValid || time.toMillis() < 0) return 'impossible-time';
  return time.toMillis() > fetchedAt + FURTHEST_AHEAD_MS ? 'future-time' : time.toMillis();
}
