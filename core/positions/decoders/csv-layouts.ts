/** The layouts of daily position files: their columns, and how each publisher writes the values. */

/** What a column is for; columns of any other name are passed over. */
export type Column =
  | 'mmsi'
  | 'time'
  | 'latitude'
  | 'longitude'
  | 'speed'
  | 'heading'
  | 'type'
  | 'status'
  | 'imo';

export interface CsvLayout {
  readonly name: string;
  /** Column names of the header, in lower case. */
  readonly columns: Readonly<Record<string, Column>>;
  /** `iso`: `YYYY-MM-DD`, a T or a blank, `HH:MM:SS`; `danish`: `DD/MM/YYYY HH:MM:SS`. All are UTC. */
  readonly time: 'iso' | 'danish';
  /** Codes of words, in lower case, where a column has words instead of numbers. */
  readonly statuses: Readonly<Record<string, number>>;
  readonly types: Readonly<Record<string, number>>;
}

/** NOAA up to 2024: `MMSI,BaseDateTime,LAT,LON,SOG,COG,Heading,VesselName,IMO,…`; from 2025 lower case, longitude first. */
export const NOAA_LAYOUT: CsvLayout = {
  name: 'NOAA MarineCadastre',
  columns: {
    mmsi: 'mmsi',
    basedatetime: 'time',
    base_date_time: 'time',
    lat: 'latitude',
    latitude: 'latitude',
    lon: 'longitude',
    longitude: 'longitude',
    sog: 'speed',
    heading: 'heading',
    vesseltype: 'type',
    vessel_type: 'type',
    status: 'status',
    imo: 'imo',
  },
  time: 'iso',
  statuses: {},
  types: {},
};

/** The Danish Maritime Authority: words for status and type, "Unknown" for unknown values. */
export const DANISH_LAYOUT: CsvLayout = {
  name: 'Danish Maritime Authority',
  columns: {
    '# timestamp': 'time',
    timestamp: 'time',
    mmsi: 'mmsi',
    latitude: 'latitude',
    longitude: 'longitude',
    'navigational status': 'status',
    sog: 'speed',
    heading: 'heading',
    imo: 'imo',
    'ship type': 'type',
  },
  time: 'danish',
  statuses: {
    'under way using engine': 0,
    'at anchor': 1,
    'not under command': 2,
    'restricted maneuverability': 3,
    'constrained by her draught': 4,
    moored: 5,
    aground: 6,
    'engaged in fishing': 7,
    'under way sailing': 8,
  },
  types: {
    wig: 20,
    fishing: 30,
    towing: 31,
    'towing long/wide': 32,
    dredging: 33,
    diving: 34,
    military: 35,
    sailing: 36,
    pleasure: 37,
    reserved: 38,
    hsc: 40,
    pilot: 50,
    sar: 51,
    tug: 52,
    'port tender': 53,
    'anti-pollution': 54,
    'law enforcement': 55,
    'spare 1': 56,
    'spare 2': 57,
    medical: 58,
    passenger: 60,
    cargo: 70,
    tanker: 80,
    other: 90,
  },
};
