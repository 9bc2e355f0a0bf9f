/** Rows of the table of ports for any number of them: those of a default stage first, then others of the reference, then made-up ones. */
import { PORTS } from '../../core/reference/ports.ts';
import { dayOf, type Instant } from '../../core/reference/time.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { randomStream } from '../../core/sources/sample-simulator/source.ts';
import type { PortRow } from '../../core/store/ports.ts';
import { sourceMethod } from '../../core/upstream/source.ts';

/** The sources that a stage fetches without a key. */
export const DEFAULT_SOURCES = SOURCE_DECLARATIONS.filter(({ secret }) => secret === undefined);
export const DEFAULT_PORTS = DEFAULT_SOURCES.reduce((sum, { ports }) => sum + ports.length, 0);
/** A list longer than any source of the service makes it. */
export const LONG_LIST = 10_000;

/** Each with all its figures, as a year after the first fetch. */
export function portRows(count: number, asOfAt: Instant): PortRow[] {
  const random = randomStream('port-rows', 1);
  const covered = DEFAULT_SOURCES.flatMap((source) => source.ports.map((port) => ({ port, source })));
  const taken = new Set(covered.map(({ port }) => port));
  const [first] = DEFAULT_SOURCES;
  if (first === undefined) throw new Error('no source is fetched without a key');
  const others = PORTS.filter(({ locode }) => !taken.has(locode)).map(({ locode }) => locode);
  const madeUp = Array.from(
    { length: count },
    (_, i) => `ZZ${(46_656 + i).toString(36).slice(-3).toUpperCase()}`,
  );
  const all = [...covered, ...[...others, ...madeUp].map((port) => ({ port, source: first }))];
  const byCode = new Map(PORTS.map((port) => [port.locode, port]));
  return all.slice(0, count).map(({ port, source }) => {
    const place = [random() * 120 - 60, random() * 360 - 180].map((degrees) => Number(degrees.toFixed(2)));
    const {
      name = `Made-up Harbour ${port}`,
      latitude = place[0] ?? 0,
      longitude = place[1] ?? 0,
    } = byCode.get(port) ?? {};
    const [inPort, waitHours] = [Math.floor(random() * 80), random() * 40];
    return {
      port,
      name,
      countryCode: port.slice(0, 2),
      latitude,
      longitude,
      sources: [source.id],
      method: sourceMethod(source),
      firstDay: dayOf(asOfAt - 365 * 86_400_000),
      lastDay: dayOf(asOfAt),
      snapshot: {
        asOfAt,
        congestionScore: Number(random().toFixed(3)),
        avgWaitHours: Number(waitHours.toFixed(1)),
        waitBasis: 'berthed',
        arrivals24h: Math.floor(inPort / 3),
        departures24h: Math.floor(inPort / 4),
        atAnchor: Math.floor(inPort / 5),
        inPort,
      },
    };
  });
}
