/** Local times of a time zone as instants. */
import { DAY_MS, type Instant, parseInstant } from '../../reference/time.ts';
import { WHOLE_NUMBER } from '../../upstream/fields.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The clock of a zone. Throws `RangeError` for a name that is not an IANA time zone. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  formats.set(timeZone, format);
  return format;
}

export function isTimeZone(name: string): boolean {
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** Milliseconds by which the zone's clock is ahead of UTC. */
function offsetAt(at: Instant, timeZone: string): number {
  const parts = new Map(
    formatOf(timeZone)
      .formatToParts(at)
      .map(({ type, value }) => [type, WHOLE_NUMBER.read(value)]),
  );
  const of = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - at;
}

/** Offsets a day around a local time, by its day and zone: a table has thousands of times of one day. */
const offsets = new Map<string, readonly number[]>();

function offsetsAround(local: Instant, timeZone: string): readonly number[] {
  const key = `${timeZone} ${Math.floor(local / DAY_MS)}`;
  const known = offsets.get(key);
  if (known !== undefined) return known;
  const dayAt = Math.floor(local / DAY_MS) * DAY_MS;
  const found = [...new Set([dayAt - DAY_MS, dayAt + 2 * DAY_MS].map((at) => offsetAt(at, timeZone)))];
  offsets.set(key, found);
  return found;
}

/**
 * The instants at which clocks of the zone show a time, earliest first: none where the clock was put forward over it, or where the date
 * does not exist; two where it was put back.
 * @param text `YYYY-MM-DDTHH:MM:SS`
 */
export function localTimes(text: string, timeZone: string): Instant[] {
  const local = parseInstant(`${text}Z`);
  if (local === undefined) return [];
  const around = offsetsAround(local, timeZone);
  if (around.length === 1) return around.map((offset) => local - offset);
  return around
    .map((offset) => local - offset)
    .filter((at) => at + offsetAt(at, timeZone) === local)
    .sort((a, b) => a - b);
}
