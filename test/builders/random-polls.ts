/** Implausible polls for properties that hold for any polls: few vessels, few places, every conflict. */
import fc from 'fast-check';
import type { PortPoll, VesselArrived, VesselDeparted, VesselInPort } from '../../core/calls/observation.ts';
import type { Position } from '../../core/calls/port-call.ts';
import { HOUR_MS, type Instant, MINUTE_MS } from '../../core/reference/time.ts';

const START: Instant = Date.UTC(2026, 0, 5);

const POSITIONS: readonly Position[] = [
  { zone: 'anchorage', place: 'NORTH' },
  { zone: 'anchorage', place: 'SOUTH' },
  { zone: 'berth', place: 'TERMINAL' },
  { zone: 'berth', place: 'TERMINAL > 1' },
  { zone: 'berth', place: 'TERMINAL > 2' },
  { zone: 'moving', place: 'FAIRWAY' },
];

const vesselId = fc.constantFrom('A', 'B', 'C');
const position = fc.constantFrom(...POSITIONS);
/** Times on a coarse grid, so that equal and nearly equal ones are common. */
const eventAt = fc
  .integer({ min: -24, max: 72 })
  .map((step) => START + step * HOUR_MS + (step % 5) * MINUTE_MS);

/** Mostly absent, and sometimes shared by vessels, as after a change of call sign. */
const imo = fc.option(fc.constantFrom('9000001', '9000002'), { nil: undefined, freq: 1 });

const inPortRow: fc.Arbitrary<VesselInPort> = fc
  .tuple(vesselId, eventAt, position, imo)
  .map(([vessel, ataAt, where, number]) => ({
    vesselId: vessel,
    ataAt,
    ...where,
    ...(number !== undefined && { imo: number }),
  }));
const arrivedRow: fc.Arbitrary<VesselArrived> = fc
  .tuple(inPortRow, fc.boolean())
  .map(([row, departed]) => ({ ...row, departed }));
const departedRow: fc.Arbitrary<VesselDeparted> = fc
  .tuple(vesselId, eventAt, position)
  .map(([vessel, atdAt, where]) => ({ vesselId: vessel, atdAt, ...where }));

const list = <Row>(row: fc.Arbitrary<Row>): fc.Arbitrary<readonly Row[] | undefined> =>
  fc.option(fc.array(row, { maxLength: 4 }), { nil: undefined, freq: 4 });

const lists = fc.record({
  minutes: fc.integer({ min: 1, max: 600 }),
  inPort: list(inPortRow),
  arrived: list(arrivedRow),
  departed: list(departedRow),
  unreadable: fc.option(fc.array(vesselId, { minLength: 1, maxLength: 1 }), { nil: undefined, freq: 1 }),
});

/** Up to nine polls of one port in order of time, 1 minute to 10 hours apart. */
export const randomPolls: fc.Arbitrary<PortPoll[]> = fc
  .array(lists, { minLength: 1, maxLength: 9 })
  .map((made) => {
    let at = START;
    return made.map(({ minutes, inPort, arrived, departed, unreadable }): PortPoll => {
      at += minutes * MINUTE_MS;
      return {
        kind: 'poll',
        port: 'HKHKG',
        observedAt: at,
        ...(inPort && { inPort }),
        ...(arrived && { arrived }),
        ...(departed && { departed }),
        ...(unreadable && { unreadable }),
      };
    });
  });
