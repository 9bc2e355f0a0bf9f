/** Generated traffic as NOAA publishes it: one CSV file a UTC day, in either of its layouts. */
import { type Day, dayOf } from '../../../core/reference/time.ts';
import type { GeneratedFix } from './world-types.ts';

/** `2024`: capital letters, latitude first; `2025`: lower case, longitude first. */
export type NoaaLayout = '2024' | '2025';

const HEADERS: Readonly<Record<NoaaLayout, string>> = {
  '2024':
    'MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,CallSign,VesselType,Status,Length,Width,Draft,Cargo,TransceiverClass\n',
  '2025':
    'mmsi,base_date_time,longitude,latitude,sog,cog,heading,vessel_name,imo,call_sign,vessel_type,status,length,width,draft,cargo,transceiver\n',
};

function rowOf(fix: GeneratedFix, layout: NoaaLayout): string {
  const { mmsi, at, latitude, longitude, speed, heading, status, vesselType } = fix;
  const time = new Date(at).toISOString().slice(0, 19);
  const known = (value: number | undefined, none: string): string =>
    value === undefined ? none : String(value);
  const tail = `${known(vesselType, '')},${known(status, '')},180,28,9.5,${known(vesselType, '')},A`;
  const sog = known(speed, '102.3');
  return layout === '2024'
    ? `${mmsi},${time},${latitude},${longitude},${sog},0.0,${known(heading, '511.0')},MV ${mmsi},,,${tail}\n`
    : `${mmsi},${time.replace('T', ' ')},${longitude},${latitude},${sog},0.0,${known(heading, '511')},"MV, ${mmsi}",,,${tail}\n`;
}

/** The files of all days that `fixes`, in the order of publication, has rows of. */
export function* noaaDays(
  fixes: Iterable<GeneratedFix>,
  layout: NoaaLayout,
): Generator<{ readonly day: Day; readonly text: string }> {
  let day: Day | undefined;
  let rows: string[] = [];
  for (const fix of fixes) {
    const of = dayOf(fix.at);
    if (day !== undefined && of > day) {
      yield { day, text: rows.join('') };
      rows = [];
    }
    if (rows.length === 0) {
      day = of;
      rows.push(HEADERS[layout]);
    }
    // Rows delayed past midnight are left out, as in a real day file.
    if (of === day) rows.push(rowOf(fix, layout));
  }
  if (day !== undefined && rows.length > 0) yield { day, text: rows.join('') };
}
