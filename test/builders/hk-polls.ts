/** A made-up Hong Kong as the Marine Department would report it: seeded visits, and the reports' XML at any time. */
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';
import {
  exponential,
  logNormal,
  type RandomStream,
  randomStream,
} from '../../core/sources/sample-simulator/source.ts';
import type { ArchivedFetch } from '../../core/upstream/source.ts';

interface HkStage {
  readonly location: string;
  readonly fromAt: Instant;
}

/** One visit; times are whole minutes, as in the reports. */
interface HkVisit {
  readonly callSign: string;
  readonly shipType: string;
  readonly ataAt: Instant;
  /** Oldest first, the first from the ATA. */
  readonly stages: readonly HkStage[];
  readonly lastBerth: string;
  readonly atdAt: Instant;
  /** When the in-port report drops the vessel. */
  readonly outAt: Instant;
}

export interface HkWorld {
  readonly seed: number;
  readonly startAt: Instant;
  readonly days: number;
  readonly arrivalsPerDay?: number;
}

const ANCHORAGES = ['SOUTH EAST LAMMA ANCHORAGE', 'WESTERN ANCHORAGE NO.2', 'SOUTH LAMMA DG ANCHORAGE'];
const BERTHS = [
  'KWAICHUNG CONTR. BERTH NO. 7 (TERMINAL 6)',
  'KWAICHUNG CONTR. BERTH NO.19 (TERMINAL 9)',
  'SINOPEC',
];
const SHIP_TYPES = ['CONTAINER', 'BULK/ WOODCHIP/ CEMENT/ ORE CARRIER', 'TUG'];
const WAYPOINT = 'POTOI ISLAND';
const GENERIC_BERTH = 'KWAI CHUNG CONTAINER TERMINAL';
const LAID_UP = 18;
const REACH_MS = 36 * HOUR_MS;

const wholeMinute = (at: number): Instant => Math.floor(at / MINUTE_MS) * MINUTE_MS;

function pick<Item>(random: RandomStream, items: readonly Item[]): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

function visitAt(random: RandomStream, callSign: string, ataAt: Instant): HkVisit {
  const stages: HkStage[] = [];
  let at = ataAt;
  const stay = (location: string, hours: number): void => {
    stages.push({ location, fromAt: at });
    at = wholeMinute(at + Math.max(1, hours * 60) * MINUTE_MS);
  };
  const course = random();
  let lastBerth = pick(random, ANCHORAGES);
  if (course < 0.6) stay(lastBerth, logNormal(random, 8, 0.8));
  if (course < 0.9) {
    if (random() < 0.5) stay(WAYPOINT, 0.7);
    lastBerth = pick(random, BERTHS);
    stay(lastBerth, logNormal(random, 14, 0.5));
  } else stay(lastBerth, logNormal(random, 5, 0.5));
  const atdAt = at;
  stay(WAYPOINT, 0.2 + random());
  return { callSign, shipType: pick(random, SHIP_TYPES), ataAt, stages, lastBerth, atdAt, outAt: at };
}

/** Visits of the world, by arrival, laid-up vessels first. */
function hkVisits({ seed, startAt, days, arrivalsPerDay = 45 }: HkWorld): HkVisit[] {
  const random = randomStream('hk-world', seed);
  const never = startAt + 10_000 * DAY_MS;
  const visits = Array.from({ length: LAID_UP }, (_, index): HkVisit => {
    const ataAt = wholeMinute(startAt - (61 + 200 * index) * DAY_MS);
    const stages = [{ location: 'YIU LIAN DOCK', fromAt: ataAt }];
    return {
      callSign: `LU${index}`,
      shipType: 'OTHER',
      ataAt,
      stages,
      lastBerth: '',
      atdAt: never,
      outAt: never,
    };
  });
  let at = startAt - 3 * DAY_MS;
  for (let number = 0; at < startAt + days * DAY_MS; number += 1) {
    at += exponential(random, DAY_MS / arrivalsPerDay);
    visits.push(visitAt(random, `V${number}`, wholeMinute(at)));
  }
  return visits;
}

/** Date and time of day in Hong Kong, which has had no summer time since 1980. */
const localParts = (at: Instant): [day: string, time: string] => {
  const local = new Date(at + 8 * HOUR_MS).toISOString();
  return [local.slice(0, 10), local.slice(11, 16)];
};
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

const slashed = (at: Instant): string => {
  const [day, time] = localParts(at);
  return `${day.replaceAll('-', '/')} ${time}`;
};
const dashed = (at: Instant): string => {
  const [[year, month, day], time] = [localParts(at)[0].split('-'), localParts(at)[1]];
  return `${day}-${MONTHS[Number(month) - 1]}-${year} ${time}`;
};

/** A report as the department writes it; a field that is undefined is left out of its row. */
export function hkReport(
  root: string,
  rows: readonly Readonly<Record<string, string | undefined>>[],
): Uint8Array {
  const body = rows.map((row) => {
    const fields = Object.entries(row).filter(([, text]) => text !== undefined);
    return `    <G_SQL1>\n${fields.map(([name, text]) => `      <${name}>${text}</${name}>\n`).join('')}    </G_SQL1>\n`;
  });
  return new TextEncoder().encode(
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root}>\n${body.join('')}</${root}>\n`,
  );
}

/** Where the vessel is listed at `at`; berths of the container terminal go by its wider name every third hour. */
function locationAt({ stages }: HkVisit, at: Instant): string {
  const location = stages.findLast((stage) => stage.fromAt <= at)?.location ?? WAYPOINT;
  const wider = location.startsWith('KWAICHUNG') && Math.floor(at / HOUR_MS) % 3 === 0;
  return wider ? GENERIC_BERTH : location;
}

const within = (eventAt: Instant, at: Instant): boolean => at - REACH_MS < eventAt && eventAt <= at;

/** The three reports of a poll at `at`. */
function hkFetchAt(visits: readonly HkVisit[], at: Instant): ArchivedFetch {
  const arrived = visits.filter((visit) => within(visit.ataAt, at));
  const departed = visits.filter((visit) => within(visit.atdAt, at));
  const inPort = visits.filter((visit) => visit.ataAt <= at && at < visit.outAt);
  const name = ({ callSign, shipType }: HkVisit) => ({
    CALL_SIGN: callSign,
    VESSEL_NAME: `VESSEL ${callSign} `,
    SHIP_TYPE: shipType,
    AGENT_NAME: 'A &amp; B SHIPPING',
  });
  const files = new Map([
    [
      'RP05005i.XML',
      hkReport(
        'RP05005IXML',
        arrived.map((visit) => ({
          ...name(visit),
          CURRENT_LOCATION: visit.atdAt <= at ? visit.lastBerth : locationAt(visit, at),
          ARRIVAL_TIME: dashed(visit.ataAt),
          REMARK: visit.atdAt <= at ? 'Departed' : undefined,
        })),
      ),
    ],
    [
      'RP05505i.XML',
      hkReport(
        'RP05505IXML',
        departed.map((visit) => ({
          ...name(visit),
          ATD_TIME: slashed(visit.atdAt),
          LAST_BERTH: visit.lastBerth,
        })),
      ),
    ],
    [
      'RP06005i.XML',
      hkReport(
        'RP06005IXML',
        inPort.map((visit) => ({
          ...name(visit),
          FLAG: 'PANAMA',
          CURRENT_LOCATION: locationAt(visit, at),
          ARRIVAL_TIME: slashed(visit.ataAt),
          IMO_NO: imoOf(visit.callSign),
        })),
      ),
    ],
  ]);
  return { fetchedAt: at, files };
}

/** Fetches of the world in order of time, by default one every 20 minutes. */
export function* hkFetches(world: HkWorld, everyMinutes = 20): Generator<ArchivedFetch> {
  const visits = hkVisits(world);
  const endAt = world.startAt + world.days * DAY_MS;
  for (let at = world.startAt; at < endAt; at += everyMinutes * MINUTE_MS) yield hkFetchAt(visits, at);
}

/** An IMO number of the vessel's own, by its number and whether it is laid up; the last digit checks the others. */
function imoOf(callSign: string): string {
  const digits = String(
    (callSign.startsWith('LU') ? 800_000 : 900_000) + Number(callSign.replace(/\D/g, '')),
  );
  const weighted = Array.from(digits, (digit, index) => Number(digit) * (7 - index));
  return digits + (weighted.reduce((sum, term) => sum + term, 0) % 10);
}
