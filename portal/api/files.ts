/** Files of the portal and of the releases that are read once, when they are first asked for. */

import type { PortChange } from '../../core/contracts/changes.ts';
import type { PortRecord } from '../../core/contracts/ports.ts';
import {
  DAY_FIGURES,
  KNOWN_DAYS,
  type KnownDays,
  type KnownMonth,
  RECORD,
  type ServiceRecord,
} from '../../core/contracts/published-files.ts';
import { UNOBSERVED_PORT } from '../../core/contracts/wire.ts';
import { addDays } from '../../core/reference/time.ts';
import { dayUpTo } from '../view/text.ts';
import { portalJson } from './source-list.ts';

/** The content of the file at a path; `absent` where there is none, and undefined until that is known. */
export type FileReader = <T>(path: string, absent: T) => T | undefined;

/** Calls `changed` whenever a call would return something else. */
export function createFileReader(changed: () => void): FileReader {
  const files = new Map<string, unknown>();
  return <T>(path: string, absent: T): T | undefined => {
    if (!files.has(path)) {
      files.set(path, undefined);
      const keep = (content: unknown): void => {
        files.set(path, content);
        changed();
      };
      portalJson<T>(path).then(keep, () => keep(absent));
    }
    return files.get(path) as T | undefined;
  };
}

// Every port that a deployment can read, with its place, whether or not this one does: the small rings of the map.

/** Where the list is served. The build writes it from the declarations of the sources and the port reference. */
export const READABLE_PORTS = '/docs/readable-ports.json';

export interface ReadablePort
  extends Pick<PortRecord, 'port' | 'name' | 'latitude' | 'longitude' | 'sources' | 'evidence'> {
  /** `npm start -- --sample` simulates it. */
  readonly sample?: true;
}

/** The figures of a port for which the service holds no data. */
export const UNKNOWN_FIGURES = { ...UNOBSERVED_PORT, wait_basis: null, stopped_since: null } as const;

/** The port as the list of ports would have it before its first observation. */
export const unheldRecord = ({ sample: _, ...port }: ReadablePort): PortRecord => ({
  ...port,
  country: port.port.slice(0, 2),
  method: null,
  ...UNKNOWN_FIGURES,
});

// The days as they were known, from files of the newest release: nothing is asked of the API, and no key is needed.

/** Where the files of the releases are served. */
const ROOT = '/data/';
const NONE: KnownDays = { release: '', first_day: null, last_day: null, months: [], stops: [] };

/** A port with its figures, of now or of the end of a day, and what the week before changed. */
export type MovedPort = PortRecord & Pick<PortChange, 'congestion_score_change'>;

export type DaysReader = ReturnType<typeof createDaysReader>;

type Found = ReadonlyMap<string, PortRecord>;

/** The ports of a day by code. Their figures may be older; how the ports were read is not in the files. */
function portsOf({ days, ports }: KnownMonth, day: string): Found {
  const at = days.indexOf(day);
  const records = ports.flatMap(({ days: figures, ...port }): PortRecord[] => {
    const then = figures[at];
    if (!then) return [];
    const named = Object.fromEntries(DAY_FIGURES.map((name, i) => [name, then[i] ?? null]));
    const more = { last_observed: named.as_of, last_day: dayUpTo(String(named.as_of)), evidence: 'recorded' };
    return [{ ...port, ...named, ...more } as PortRecord];
  });
  return new Map(records.map((record) => [record.port, record]));
}

const WEEK_DAYS = 7;

export function createDaysReader(files: FileReader) {
  const read = <T>(path: string, absent: T): T | undefined => files(`${ROOT}${path}`, absent);
  const asked = new Map<string, readonly MovedPort[]>();
  const index = (): KnownDays | undefined => read(KNOWN_DAYS, NONE);
  const found = (day: string): Found | undefined => {
    const path = index()?.months.find(({ month }) => day.startsWith(month))?.path;
    if (path === undefined) return index() && new Map();
    const month = read<KnownMonth>(path, { days: [], figures: [], ports: [] });
    return month && portsOf(month, day);
  };
  return {
    /** Without days and stops where there is no release; undefined until that is known. */
    index,
    /** What was said, and what came; undefined until that is known, and where there is no release. */
    record: () => read<ServiceRecord | undefined>(RECORD, undefined),
    /** The ports at the end of a UTC day; undefined while they load, and empty where the files lack the day. */
    portsOn(day: string): readonly MovedPort[] | undefined {
      const known = asked.get(day);
      if (known !== undefined) return known;
      const [then, before] = [found(day), found(addDays(day, -WEEK_DAYS))];
      if (then === undefined || before === undefined) return undefined;
      const ports = [...then.values()].map((port) => {
        const [score, was] = [port.congestion_score, before.get(port.port)?.congestion_score ?? null];
        const change = score === null || was === null ? null : Math.round((score - was) * 1000) / 1000;
        return { ...port, congestion_score_change: change };
      });
      asked.set(day, ports);
      return ports;
    },
  };
}
