/** Every count of every recorded poll, next to a second reading of the XML that shares no code with the product. */
import { describe, expect, it } from '@jest/globals';
import {
  closedStays,
  isOpen,
  type Ledger,
  openLedger,
  type PortCall,
} from '../../../core/calls/port-call.ts';
import { applyObservation } from '../../../core/calls/reconstruct.ts';
import { occupancyAt } from '../../../core/metrics/day-figures.ts';
import { formatInstant } from '../../../core/reference/time.ts';
import { source as hkMarineDepartment } from '../../../core/sources/hk-marine-department/source.ts';
import type { ArchivedFetch } from '../../../core/upstream/source.ts';
import { recordedFetches } from '../../builders/recordings.ts';

const HOUR = 3_600_000;
const MONTHS = 'JANFEBMARAPRMAYJUNJULAUGSEPOCTNOVDEC';

type Row = Readonly<Record<string, string>>;

/** Rows of a report by regular expression; undefined when the poll lacks it. */
function rowsOf(fetched: ArchivedFetch, report: string): Row[] | undefined {
  const bytes = fetched.files.get(`${report}i.XML`);
  if (bytes === undefined) return undefined;
  const rows = new TextDecoder().decode(bytes).matchAll(/<G_SQL1>(.*?)<\/G_SQL1>/gs);
  return [...rows].map(([, row = '']) =>
    Object.fromEntries(
      [...row.matchAll(/<(\w+)>(.*?)<\/\1>/gs)].map(([, name, text]) => [name, text?.trim()]),
    ),
  );
}

/** `2025/08/17 03:37` or `16-AUG-2025 19:05`, eight hours ahead of UTC. */
function timeOf(text = ''): number {
  const [, day, name = '', year, hour, minute] = /^(\d\d)-(\w{3})-(\d{4}) (\d\d):(\d\d)$/.exec(text) ?? [];
  const local =
    day === undefined
      ? Date.parse(`${text.replaceAll('/', '-').replace(' ', 'T')}Z`)
      : Date.UTC(Number(year), MONTHS.indexOf(name) / 3, Number(day), Number(hour), Number(minute));
  return local - 8 * HOUR;
}

interface Counts {
  readonly arrivals24h: number;
  /** Absent when the report of departures is. */
  readonly departures24h?: number;
  readonly inPort: number;
  readonly atAnchor: number;
}

/** Passenger vessels and service craft, which count in no figure. */
const isCraft = ({ SHIP_TYPE = '' }: Row): boolean => /^(PASS|FISH|TUG|PLEAS|OTHER)/.test(SHIP_TYPE);

/**
 * What the reports say by themselves of merchant vessels: they go by name, so that a change of call sign does not make a second vessel.
 */
function countsInXml(fetched: ArchivedFetch): Counts {
  const [arrived = [], departed, inPort = []] = ['RP05005', 'RP05505', 'RP06005'].map((report) =>
    rowsOf(fetched, report)?.filter((row) => !isCraft(row)),
  );
  const isLately = (text?: string): boolean => {
    const ageHours = (fetched.fetchedAt - timeOf(text)) / HOUR;
    return ageHours >= 0 && ageHours < 24;
  };
  const present = inPort.filter((row) => fetched.fetchedAt - timeOf(row.ARRIVAL_TIME) <= 60 * 24 * HOUR);
  const hasLeft = (row: Row): boolean =>
    (departed ?? []).some(
      (other) => other.VESSEL_NAME === row.VESSEL_NAME && timeOf(other.ATD_TIME) >= timeOf(row.ARRIVAL_TIME),
    );
  const arrivals = [...arrived, ...inPort]
    .filter((row) => isLately(row.ARRIVAL_TIME))
    .map((row) => `${row.VESSEL_NAME} ${timeOf(row.ARRIVAL_TIME)}`);
  return {
    arrivals24h: new Set(arrivals).size,
    ...(departed && { departures24h: departed.filter((row) => isLately(row.ATD_TIME)).length }),
    inPort: present.length,
    atAnchor: present.filter((row) => row.CURRENT_LOCATION?.includes('ANCHORAGE') && !hasLeft(row)).length,
  };
}

/**
 * Polls whose lists disagree: RP05005i already lists a vessel as arrived at an anchorage and not departed, and RP06005i
 * does not list it until the next poll. The service counts it as in port and at anchor.
 */
const AHEAD_OF_IN_PORT_LIST = new Map([['2025-10-04T10:06:00Z', 'XIANG YI 9']]);

interface Applied {
  readonly fetched: ArchivedFetch;
  readonly ledger: Ledger;
  readonly unknownPlaces: readonly string[];
}

function replayed(): Applied[] {
  const applied: Applied[] = [];
  for (const fetched of recordedFetches('hk-marine-department')) {
    const { observations, refusals, notices = [] } = hkMarineDepartment.parse(fetched);
    expect(refusals.count).toBe(0);
    const [report] = observations;
    if (report?.kind !== 'poll') throw new Error('no poll');
    const { ledger } = applyObservation(applied.at(-1)?.ledger ?? openLedger(), report);
    applied.push({ fetched, ledger, unknownPlaces: notices.map(({ detail }) => detail) });
  }
  return applied;
}

describe('the recorded polls of August and October 2025', () => {
  const polls = replayed();
  const last = polls.at(-1)?.ledger ?? openLedger();
  const calls = [...last.calls.values()];
  const named = (vesselId: string): PortCall[] => calls.filter((call) => call.vesselId === vesselId);

  it('are 57', () => {
    expect(polls).toHaveLength(57);
  });

  it.each(polls.map(({ fetched, ledger }) => ({ at: formatInstant(fetched.fetchedAt), fetched, ledger })))(
    'give the counts of the XML at $at',
    ({ at, fetched, ledger }) => {
      const stated = countsInXml(fetched);
      const ahead = AHEAD_OF_IN_PORT_LIST.has(at) ? 1 : 0;
      expect(occupancyAt(ledger.calls.values(), fetched.fetchedAt)).toMatchObject({
        ...stated,
        inPort: stated.inPort + ahead,
        atAnchor: stated.atAnchor + ahead,
      });
    },
  );

  it.each([...AHEAD_OF_IN_PORT_LIST])(
    'differ at %s by %s, which one list has and the other has not',
    (at, name) => {
      const index = polls.findIndex(({ fetched }) => formatInstant(fetched.fetchedAt) === at);
      const listedIn = (report: string, poll: Applied | undefined): boolean =>
        (poll && rowsOf(poll.fetched, report))?.some((row) => row.VESSEL_NAME === name) ?? false;
      expect(listedIn('RP05005', polls[index])).toBe(true);
      expect(listedIn('RP06005', polls[index])).toBe(false);
      expect(listedIn('RP06005', polls[index + 1])).toBe(true);
    },
  );

  it('have one call of ZIM USA, whose call sign changes from VRUN2 to V7A3800 at its berth', () => {
    const zimUsa = calls.filter((call) => call.imo === '9945473');
    expect(zimUsa).toMatchObject([{ vesselId: 'VRUN2', otherIds: ['V7A3800'] }]);
    expect(zimUsa[0]?.legs).toHaveLength(1);
    expect(named('V7A3800')).toEqual([]);
  });

  it('name the one place that is not known, and keep its vessel in port', () => {
    const unknown = new Set(polls.flatMap(({ unknownPlaces }) => unknownPlaces));
    expect([...unknown]).toEqual(['"EAST" in 1 rows']);
    expect(named('C6CL5').map(isOpen)).toEqual([false, true]);
  });

  it('give no stay that ended at an unknown time in one of the two gaps', () => {
    const stays = calls.flatMap((call) => closedStays(call).map((stay) => ({ ...stay, call })));
    const times = polls.map(({ fetched }) => fetched.fetchedAt);
    const concluded = stays.filter(({ endAt, call }) => endAt !== call.atdAt || call.atdInferred);
    expect(stays.length).toBeGreaterThan(80);
    for (const { endAt } of concluded) {
      const before = times.findLast((at) => at <= endAt) ?? 0;
      const after = times.find((at) => at >= endAt) ?? Number.POSITIVE_INFINITY;
      expect(after - before).toBeLessThanOrEqual(4 * HOUR);
    }
  });
});
