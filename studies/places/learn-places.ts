/** Learns places from closed stays: offline, over weeks of an archive, by `npm run study -- places`. */

import type { StayKind } from '../../core/calls/port-call.ts';
import {
  cellAt,
  MIN_VESSELS,
  type Place,
  type PlaceTable,
  placesByCell,
} from '../../core/positions/places.ts';
import type { Locode } from '../../core/reference/locode.ts';
import { type Cell, cellsAround } from './cells.ts';
import { NO_PLACES, toTable } from './place-file.ts';

/** The share of one kind that gives a place its label. */
const MIN_SHARE = 0.7;

/** A closed stay, its kind found without places. */
export interface ClosedStay {
  readonly mmsi: number;
  /** Mean position in 1e-5 degrees. */
  readonly latitude: number;
  readonly longitude: number;
  readonly kind: StayKind;
  /** For a wait: the port of the berth that followed. */
  readonly nextPort?: Locode;
}

/** Vessels of the stays around a cell's middle. */
class Uses {
  readonly vessels = new Set<number>();
  private readonly berths = new Set<number>();
  private readonly waits = new Set<number>();
  private readonly nextPorts = new Map<Locode, Set<number>>();

  constructor(private readonly middle: Cell) {}

  add({ mmsi, kind, nextPort }: ClosedStay): void {
    this.vessels.add(mmsi);
    (kind === 'berth' ? this.berths : this.waits).add(mmsi);
    if (nextPort === undefined) return;
    const vessels = this.nextPorts.get(nextPort) ?? new Set();
    this.nextPorts.set(nextPort, vessels.add(mmsi));
  }

  place(labelBefore: StayKind | undefined): Place {
    const [berths, waits] = [this.berths.size, this.waits.size];
    const ports = [...this.nextPorts].map(([port, vessels]) => [port, vessels.size] as const);
    return {
      latitude: this.middle.latitude,
      longitude: this.middle.longitude,
      vessels: this.vessels.size,
      berths,
      waits,
      label: learnLabel(berths, waits, labelBefore),
      nextPorts: new Map(ports.sort(([a], [b]) => (a < b ? -1 : 1))),
    };
  }
}

/** A label is given at 70 % of one kind, and then stays until 70 % are of the other. */
function learnLabel(berths: number, waits: number, before: StayKind | undefined): StayKind | undefined {
  const share = berths / (berths + waits);
  if (share >= MIN_SHARE) return 'berth';
  return share <= 1 - MIN_SHARE ? 'wait' : before;
}

/** Learns places from stays in any order. Labels of the table `before` hold where the stays do not clearly disagree. */
export function learnPlaces(stays: Iterable<ClosedStay>, before: PlaceTable = NO_PLACES): PlaceTable {
  const cells = new Map<number, Uses>();
  for (const stay of stays)
    for (const middle of cellsAround(stay.latitude, stay.longitude)) {
      const uses = cells.get(middle.key) ?? new Uses(middle);
      cells.set(middle.key, uses);
      uses.add(stay);
    }
  const known = placesByCell(before);
  const places = [...cells]
    .filter(([, { vessels }]) => vessels.size >= MIN_VESSELS)
    .sort(([a], [b]) => a - b)
    .map(([key, uses]) => uses.place(known.get(key)?.label));
  return toTable(places);
}

/** Half of the vessels at random, the same ones every time. */
const isFirstHalf = ({ mmsi }: ClosedStay): boolean => Math.imul(mmsi, 0x9e3779b1) >= 0;

/** Places that both halves of the vessels label, and the share of them with the same label. */
export function splitHalfAgreement(stays: readonly ClosedStay[]): { places: number; share: number } {
  const [first, second] = [
    learnPlaces(stays.filter(isFirstHalf)),
    placesByCell(learnPlaces(stays.filter((stay) => !isFirstHalf(stay)))),
  ];
  const pairs = first.places
    .map(({ latitude, longitude, label }) => [label, second.get(cellAt(latitude, longitude))?.label])
    .filter(([label, other]) => label !== undefined && other !== undefined);
  const same = pairs.filter(([label, other]) => label === other).length;
  return { places: pairs.length, share: pairs.length === 0 ? Number.NaN : same / pairs.length };
}
