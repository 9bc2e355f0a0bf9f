/** Rows of the port of Tarragona as a table of calls: numbers for vessels, types from cargo, and no rows of other ports. */
import { parse } from 'csv-parse/sync';

export interface StayRow {
  readonly call: string;
  readonly vessel: string;
  /** Empty where neither this call nor an earlier one of the vessel tells it. */
  readonly vesselType: string;
  readonly lengthM: string;
  readonly place: string;
  readonly kind: 'anchorage' | 'berth';
  /** Local time, `YYYY-MM-DD HH:MM`. */
  readonly start: string;
  readonly end: string;
}

/** A place of Tarragona begins with two digits; others slipped in from the tables of other ports. */
const OWN_PLACE = /^\d\d/;
const ANCHORAGE = /^34 FONDEIG/;

/** Types by the cargo that a call states, in order of precedence: a vessel with containers and paper is a container vessel. */
const TYPES: readonly (readonly [type: string, cargo: RegExp])[] = [
  ['passenger', /^(?:Cruceristas|Pasajeros)/],
  ['container', /^Contenedores/],
  [
    'tanker',
    /^(?:Gases|Productos químicos|Petróleo crudo|Otros productos petrolíferos|Fuel-oil|Asfalto|Gas-oil|Gasolina|Biocombustibles|Aceites y grasas)/,
  ],
  ['other', /^Vehículos/],
  [
    'bulk',
    /^(?:Carbones|Cereales|Sal común|Abonos|Otros minerales|Fosfatos|Pienso|Cemento|Potasas|Mineral de hierro|Chatarras)/,
  ],
  ['other', /\p{L}/u],
];

const cargoes = (text: string): string[] =>
  text
    .split('|')
    .map((name) => name.trim())
    .filter(Boolean);

/** The type that cargoes tell; empty without any. */
export const typeOf = (names: readonly string[]): string =>
  TYPES.find(([, cargo]) => names.some((name) => cargo.test(name)))?.[0] ?? '';

/** `31/12/2019 05:45` as `2019-12-31 05:45`. */
const sortable = (text: string): string => text.replace(/^(\d\d)\/(\d\d)\/(\d{4}) /, '$3-$2-$1 ');

/** The stays in order of their start. Throws where a column is missing. */
export function stayRows(text: string): { readonly rows: readonly StayRow[]; readonly strays: number } {
  const records: Record<string, string>[] = parse(text, { columns: true, bom: true });
  const own = records.filter(({ place = '' }) => OWN_PLACE.test(place));
  const inOrder = own
    .map(({ call = '', vessel = '', place = '', entry = '', exit = '', length_m = '', cargo = '' }) => ({
      number: call,
      name: vessel,
      place: place.trim(),
      start: sortable(entry),
      end: sortable(exit),
      lengthM: length_m,
      cargo: cargoes(cargo),
    }))
    .sort((a, b) => compare(a.start, b.start) || compare(a.end, b.end) || compare(a.number, b.number));
  const vessels = new Map<string, string>();
  const numberOf = (name: string): string => {
    const known = vessels.get(name) ?? String(vessels.size + 1);
    vessels.set(name, known);
    return known;
  };
  // Numbers of calls repeat across the turn of the year, so a call is a number and a vessel.
  const calls = new Map<string, { readonly vessel: string; readonly cargo: string[] }>();
  const idOf = ({ number, name }: { number: string; name: string }): string => `${number}-${numberOf(name)}`;
  for (const stay of inOrder) {
    const id = idOf(stay);
    const call = calls.get(id) ?? { vessel: numberOf(stay.name), cargo: [] };
    call.cargo.push(...stay.cargo);
    calls.set(id, call);
  }
  // In order of their first stay, so that a type is known from a vessel's earlier calls and not from its later ones.
  const types = new Map<string, string>();
  const known = new Map<string, string>();
  for (const [id, { vessel, cargo }] of calls) {
    const type = typeOf(cargo) || (known.get(vessel) ?? '');
    if (type !== '') known.set(vessel, type);
    types.set(id, type);
  }
  const rows = inOrder.map((stay): StayRow => {
    const call = idOf(stay);
    return {
      call,
      vessel: numberOf(stay.name),
      vesselType: types.get(call) ?? '',
      lengthM: stay.lengthM,
      place: stay.place,
      kind: ANCHORAGE.test(stay.place) ? 'anchorage' : 'berth',
      start: stay.start,
      end: stay.end,
    };
  });
  return { rows, strays: records.length - own.length };
}

const compare = (a: string, b: string): number => Number(a > b) - Number(a < b);

const quoted = (cell: string): string => (/[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** The rows as a table of calls. */
export const tableText = (rows: readonly StayRow[]): string =>
  [
    'port,call,vessel,vessel_type,length_m,place,kind,start,end',
    ...rows.map((row) =>
      ['ESTAR', row.call, row.vessel, row.vesselType, row.lengthM, row.place, row.kind, row.start, row.end]
        .map(quoted)
        .join(','),
    ),
  ].join('\n') + '\n';
