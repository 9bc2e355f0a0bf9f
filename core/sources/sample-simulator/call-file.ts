/** One port's calls of one day as the sample's upstream writes them: JSON, UTC times in ISO 8601, stops as rows. */
import { z } from 'zod';
import type { CallBatch, CallRecord, RecordedStop, VesselClass } from '../../calls/observation.ts';
import { isLocode, type Locode } from '../../reference/locode.ts';
import { type Day, formatInstant, type Instant, type Interval, parseInstant } from '../../reference/time.ts';
import { eventTimes, type SimulatedCall } from './simulated-call.ts';

// What an upstream would publish about a simulated call at an instant: only its events up to then.

/** Half of the sample's cargo vessels carry containers, two in ten each bulk and liquids. */
const FLEET: readonly VesselClass[] = [
  ...Array<VesselClass>(5).fill('container'),
  ...Array<VesselClass>(2).fill('bulk'),
  ...Array<VesselClass>(2).fill('tanker'),
];

/** The class of a vessel, from the last digit of its number. */
const readVesselClass = (vesselId: string): VesselClass => FLEET[Number(vesselId.at(-1))] ?? 'other';

/** The record at `at`, with the current stop open; undefined before the vessel has arrived. */
export function callRecordAt(call: SimulatedCall, at: Instant): CallRecord | undefined {
  const recordedAt = eventTimes(call).findLast((eventAt) => eventAt <= at);
  if (recordedAt === undefined) return undefined;
  return {
    callId: call.callId,
    vesselId: call.vesselId,
    traffic: call.traffic,
    vesselClass: call.traffic === 'cargo' ? readVesselClass(call.vesselId) : undefined,
    recordedAt,
    ataAt: call.ataAt,
    atdAt: call.atdAt <= at ? call.atdAt : undefined,
    stops: call.legs
      .filter((leg) => leg.startAt <= at)
      .map((leg) => ({
        zone: leg.zone,
        place: leg.place,
        ataAt: leg.startAt,
        atdAt: leg.endAt <= at ? leg.endAt : undefined,
      })),
  };
}

/** Whether the call has an event in (`fromAt`, `toAt`]. */
export const changedIn = (call: SimulatedCall, span: Interval): boolean =>
  eventTimes(call).some((eventAt) => span.fromAt < eventAt && eventAt <= span.toAt);

/** Whether the vessel was in port at `at`. */
export const inPortAt = (call: SimulatedCall, at: Instant): boolean => call.ataAt <= at && at < call.atdAt;

const instant = z.string().transform((text, context) => {
  const at = parseInstant(text);
  if (at !== undefined) return at;
  context.addIssue({ code: 'custom', message: `no date and time: ${text.slice(0, 40)}` });
  return z.NEVER;
});

/** Zone, place, since when, until when (null while the vessel is there). */
const stopRow = z.tuple([
  z.enum(['anchorage', 'berth', 'moving']),
  z.string().min(1),
  instant,
  instant.nullable(),
]);

const callEntry = z.object({
  call: z.string().min(1),
  vessel: z.string().min(1),
  traffic: z.enum(['cargo', 'ferry']),
  class: z.enum(['container', 'bulk', 'tanker', 'other']).optional(),
  recorded: instant,
  arrived: instant,
  departed: instant.optional(),
  stops: z.array(stopRow).min(1),
});

/** The file without its calls, which are checked one by one so that only a bad one is refused. */
export const callFileShape = z.object({
  port: z.string().refine(isLocode, 'no UN/LOCODE'),
  coveredFrom: instant,
  observed: instant,
  calls: z.array(z.unknown()),
});

const FILE_NAME = /^calls-([A-Z0-9]{5})-(\d{4}-\d{2}-\d{2})\.json$/;

export const callFileName = (port: Locode, day: Day): string => `calls-${port}-${day}.json`;
/** The port of a file of calls; undefined for the name of another file. */
export const portOfCallFile = (name: string): Locode | undefined => FILE_NAME.exec(name)?.[1];

const stopToRow = ({ zone, place, ataAt, atdAt }: RecordedStop): readonly (string | null)[] => [
  zone,
  place,
  formatInstant(ataAt ?? 0),
  atdAt === undefined ? null : formatInstant(atdAt),
];

/** The file's text. */
export function writeCallFile(batch: CallBatch): string {
  const calls = batch.records.map((record) => ({
    call: record.callId,
    vessel: record.vesselId,
    traffic: record.traffic,
    class: record.vesselClass,
    recorded: formatInstant(record.recordedAt),
    arrived: record.ataAt === undefined ? undefined : formatInstant(record.ataAt),
    departed: record.atdAt === undefined ? undefined : formatInstant(record.atdAt),
    stops: record.stops.map(stopToRow),
  }));
  const { port, coveredFromAt, observedAt } = batch;
  return JSON.stringify({
    port,
    coveredFrom: formatInstant(coveredFromAt),
    observed: formatInstant(observedAt),
    calls,
  });
}

/** One call of the file; throws `ZodError` when it is not of the form, `RangeError` when its times run backwards. */
export function readCallEntry(entry: unknown, observedAt: Instant): CallRecord {
  const {
    call,
    vessel,
    traffic,
    class: vesselClass,
    recorded,
    arrived,
    departed,
    stops,
  } = callEntry.parse(entry);
  const times = [
    arrived,
    ...stops.flatMap(([, , fromAt, toAt]) => [fromAt, toAt ?? fromAt]),
    departed ?? arrived,
  ];
  const latestAt = Math.max(...times);
  if (latestAt > observedAt)
    throw new RangeError(`${call} knows of ${formatInstant(latestAt)}, after its file`);
  if (stops.some(([, , fromAt, toAt]) => fromAt < arrived || (toAt !== null && toAt < fromAt)))
    throw new RangeError(`${call} has a stop that ends before it begins, or begins before the arrival`);
  if (departed !== undefined && departed < Math.max(...times.slice(0, -1)))
    throw new RangeError(`${call} departed before its last stop ended`);
  return {
    callId: call,
    vesselId: vessel,
    traffic,
    vesselClass,
    recordedAt: recorded,
    ataAt: arrived,
    atdAt: departed,
    stops: stops.map(([zone, place, ataAt, atdAt]) => ({
      zone,
      place,
      ataAt,
      atdAt: atdAt ?? undefined,
    })),
  };
}
