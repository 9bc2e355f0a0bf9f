/** Frames of the aisstream protocol: positions of class A and B, and the static data that come apart from them. */
import { type Fix, fixedDegrees, UNKNOWN } from '../fix.ts';
import { codeOf, isObject, type JsonObject, numberOf, speedOf, timeOf, wholeOf } from './decoded.ts';

const POSITIONS = new Set(['PositionReport', 'StandardClassBPositionReport', 'ExtendedClassBPositionReport']);

/** Static data by MMSI: vessel type and IMO number, 0 where they are not stated. */
interface StaticData {
  readonly mmsi: number;
  readonly vesselType: number;
  readonly imo: number;
}

export type AisstreamFrame = { readonly static: StaticData } | { readonly fix: Fix } | 'other' | 'broken';

/** `2026-08-26 19:19:03.638827763 +0000 UTC`, as Go prints it, with 0 to 9 digits of a second. */
const goTime = (text: unknown): number => {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}:\d{2}:\d{2})(?:\.\d{1,9})? \+0000 UTC$/.exec(String(text));
  return match === null ? Number.NaN : timeOf(`${match[1]}T${match[2]}Z`);
};

function staticOf(mmsi: number, type: string, body: JsonObject): AisstreamFrame {
  if (type === 'ShipStaticData')
    return { static: { mmsi, vesselType: codeOf(body.Type), imo: codeOf(body.ImoNumber) } };
  const report = isObject(body.ReportB) ? body.ReportB : {};
  return { static: { mmsi, vesselType: codeOf(report.ShipType), imo: 0 } };
}

/** Reads one frame, already parsed as JSON. A subscription's confirmation and other messages are `other`. */
export function decodeAisstream(frame: unknown): AisstreamFrame {
  if (!isObject(frame) || typeof frame.MessageType !== 'string' || !isObject(frame.Message)) return 'broken';
  const type = frame.MessageType;
  const isStatic = type === 'ShipStaticData' || type === 'StaticDataReport';
  if (!isStatic && !POSITIONS.has(type)) return 'other';
  const meta = frame.MetaData ?? frame.Metadata;
  const body = frame.Message[type];
  if (!isObject(meta) || !isObject(body)) return 'broken';
  const mmsi = codeOf(meta.MMSI ?? body.UserID);
  if (mmsi === 0) return 'broken';
  if (isStatic) return staticOf(mmsi, type, body);
  const [latitude, longitude] = [numberOf(body.Latitude), numberOf(body.Longitude)];
  const time = goTime(meta.time_utc);
  if (Number.isNaN(latitude) || Number.isNaN(longitude) || Number.isNaN(time)) return 'broken';
  const fix: Fix = {
    mmsi,
    time,
    latitude: fixedDegrees(latitude),
    longitude: fixedDegrees(longitude),
    speed: speedOf(body.Sog),
    heading: wholeOf(body.TrueHeading),
    status: type === 'PositionReport' ? wholeOf(body.NavigationalStatus) : UNKNOWN,
    vesselType: 0,
    imo: 0,
  };
  return { fix };
}
