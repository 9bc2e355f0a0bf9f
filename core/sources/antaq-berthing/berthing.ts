/** One berthing as ANTAQ publishes it, checked: the vessel, the port, arrival, berthing and unberthing. */
import {
  type CallRecord,
  foremostTraffic,
  type RecordedStop,
  type Traffic,
} from '../../calls/observation.ts';
import type { Locode } from '../../reference/locode.ts';
import { EARLIEST_EVENT_AT, HOUR_MS, hoursBetween, type Instant } from '../../reference/time.ts';
import type { Refusal } from '../../upstream/source.ts';
import { BRAZILIAN_PORT_ZONES, findLocode } from './declaration.ts';
import { hours, isDiscrepant, portTime, type Row } from './tables.ts';

export interface Berthing {
  readonly id: number;
  readonly port: Locode;
  readonly vesselId: string;
  readonly traffic: Traffic;
  readonly berth: string;
  readonly arrivedAt: Instant;
  readonly berthedAt: Instant;
  readonly unberthedAt: Instant;
}

/** The stated wait and that of the dates may differ by this: an hour of summer time, and rounding. */
const WAIT_TOLERANCE_HOURS = 1.5;

/** Operations of vessels that count in no figure: passengers, support to other vessels, the navy. */
const CRAFT_OPERATIONS = new Set(['Passageiro', 'Apoio', 'Marinha']);

/**
 * Vessels that load or discharge queue for a berth; those that come for stores or repairs do not. The table's
 * `FlagMCOperacaoAtracacao` is 1 on every known row, whatever the operation, so it is not used.
 */
function traffic(row: Row): Traffic {
  const operation = row['Tipo de Operação']?.trim() ?? '';
  if (operation === '') return 'unknown';
  if (CRAFT_OPERATIONS.has(operation)) return 'ferry';
  return operation === 'Movimentação da Carga' ? 'cargo' : 'visitor';
}

/** Nothing, zeros, or the number that real rows have where the harbour master has none. */
const NO_REGISTRATION = /^(?:0*|0010000000)$/;

/** A call can have a wait without an identified vessel: a berthing that names none counts as a vessel of its own. */
function makeVesselId(row: Row): string {
  const imo = row['Nº do IMO']?.trim() ?? '';
  if (/^[1-9]\d{6}$/.test(imo)) return `imo:${imo}`;
  const registered = row['Nº da Capitania']?.trim().toUpperCase() ?? '';
  return NO_REGISTRATION.test(registered) ? `berthing:${row.IDAtracacao}` : `capitania:${registered}`;
}

/** Why a berthing is not plausible; undefined when it is. */
function doubt(berthing: Berthing, statedWait: string | undefined, fetchedAt: Instant): string | undefined {
  const { arrivedAt, berthedAt, unberthedAt } = berthing;
  if (arrivedAt > berthedAt || berthedAt > unberthedAt) return 'impossible-order';
  if (arrivedAt < EARLIEST_EVENT_AT) return 'ancient-time';
  if (unberthedAt > fetchedAt + HOUR_MS) return 'future-time';
  // Without its wait the call would count as one that went straight to the berth.
  if (isDiscrepant(statedWait)) return 'discrepant-wait';
  const stated = hours(statedWait);
  const dated = hoursBetween(arrivedAt, berthedAt);
  return stated !== undefined && Math.abs(stated - dated) > WAIT_TOLERANCE_HOURS
    ? 'contradiction'
    : undefined;
}

/** A berthing, `undefined` for a port that is not covered, or the reason why it is refused. */
export function readBerthing(
  row: Row,
  statedWait: string | undefined,
  fetchedAt: Instant,
): Berthing | Refusal | undefined {
  const port = findLocode(row.CDTUP?.trim() ?? '');
  const zone = port && BRAZILIAN_PORT_ZONES[port];
  if (port === undefined || zone === undefined) return undefined;
  const detail = `berthing ${(row.IDAtracacao ?? '').slice(0, 20)} in ${port}`;
  const id = Number(row.IDAtracacao);
  const vesselId = makeVesselId(row);
  const arrivedAt = portTime(row['Data Chegada'], zone);
  const berthedAt = portTime(row['Data Atracação'], zone);
  const unberthedAt = portTime(row['Data Desatracação'], zone);
  if (!Number.isSafeInteger(id) || id <= 0) return { reason: 'malformed', detail };
  if (arrivedAt === undefined || berthedAt === undefined || unberthedAt === undefined) {
    return { reason: 'no-time', detail };
  }
  const berth = row.IDBerco?.trim() ?? '';
  const berthing: Berthing = {
    id,
    port,
    vesselId,
    traffic: traffic(row),
    berth,
    arrivedAt,
    berthedAt,
    unberthedAt,
  };
  const reason = doubt(berthing, statedWait, fetchedAt);
  return reason === undefined ? berthing : { reason, detail };
}

// Port calls from berthings, in their state at one instant.

/** ANTAQ's wait is in the port's anchorage, which it does not name. */
const ANCHORAGE = 'anchorage';

function stopUntil(asOfAt: Instant, stop: WholeStop): RecordedStop[] {
  const { atdAt, ...begun } = stop;
  if (stop.ataAt > asOfAt) return [];
  return [atdAt <= asOfAt ? stop : begun];
}

/**
 * The berthings of each call, in order. A berthing whose arrival lies before the vessel's last unberthing is a shift
 * within the same call: the vessel cannot have arrived again without having left.
 */
export function findVisits(berthings: readonly Berthing[]): Berthing[][] {
  const open = new Map<string, { visit: Berthing[]; leftAt: Instant }>();
  const visits: Berthing[][] = [];
  for (const berthing of [...berthings].sort((a, b) => a.berthedAt - b.berthedAt || a.id - b.id)) {
    const key = `${berthing.port} ${berthing.vesselId}`;
    const last = open.get(key);
    if (last && berthing.arrivedAt < last.leftAt) {
      last.visit.push(berthing);
      last.leftAt = Math.max(last.leftAt, berthing.unberthedAt);
      continue;
    }
    const visit = [berthing];
    visits.push(visit);
    open.set(key, { visit, leftAt: berthing.unberthedAt });
  }
  return visits;
}

type WholeStop = RecordedStop & { readonly ataAt: Instant; readonly atdAt: Instant };

/**
 * The call in its state at `asOfAt`: later events are left out, so a vessel that was waiting then is
 * still waiting here. Undefined when it had not arrived.
 */
export function callAsOf(visit: readonly Berthing[], asOfAt: Instant): CallRecord | undefined {
  const [first] = visit;
  if (!first || first.arrivedAt > asOfAt) return undefined;
  const wait: WholeStop = {
    zone: 'anchorage',
    place: ANCHORAGE,
    ataAt: first.arrivedAt,
    atdAt: first.berthedAt,
  };
  const berths = visit.map(
    (each): WholeStop => ({
      zone: 'berth',
      place: each.berth,
      ataAt: each.berthedAt,
      atdAt: each.unberthedAt,
    }),
  );
  const planned = [...(wait.atdAt > wait.ataAt ? [wait] : []), ...berths];
  const lastAt = Math.max(...visit.map((each) => each.unberthedAt));
  return {
    callId: String(Math.min(...visit.map((each) => each.id))),
    vesselId: first.vesselId,
    traffic: foremostTraffic(visit),
    recordedAt: asOfAt,
    listedAt: first.unberthedAt,
    stops: planned.flatMap((stop) => stopUntil(asOfAt, stop)),
    ataAt: first.arrivedAt,
    atdAt: lastAt <= asOfAt ? lastAt : undefined,
  };
}
