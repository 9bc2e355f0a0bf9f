/** A tool about ports that are named: rows of every port in one table, so that one call compares ports. */
import * as z from 'zod/mini';
import type { Parameter } from '../../core/contracts/parameters.ts';
import { csvRows, type Route } from '../../core/contracts/route.ts';
import { type PortRecord, type ResponseOf, ROUTES } from '../../core/contracts/routes.ts';
import { described, locode } from '../../core/contracts/wire.ts';
import otherNames from '../../core/reference/other-names.json' with { type: 'json' };
import { newest, type Provenance, portProvenance } from './provenance.ts';
import regions from './regions.json' with { type: 'json' };
import { type Service, ToolError } from './service.ts';

// Arguments of tools from the parameters of the contract: the same names and the same allowed values.

/** `trend` needs a window; a tool takes this one when none is given. */
const DEFAULT_WINDOW = '30d';

/** Shorter than the contract's descriptions, because an agent reads the arguments of every tool. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  window: `Last UTC days; default ${DEFAULT_WINDOW}.`,
  days: 'Instead of window.',
  until: 'Last UTC day, YYYY-MM-DD, for history; default today.',
  as_of: 'As known at the end of this UTC day.',
  from: 'First UTC day, YYYY-MM-DD; default 29 days before to.',
  to: 'Last UTC day; default today.',
  class: 'Only this class, where the source states it.',
  since: 'First UTC day, at most 90 days back.',
  after: 'Id of the last row of the page before.',
  country: 'ISO 3166-1 alpha-2, e.g. FI.',
  type: 'Only this type.',
  severity: 'At least this.',
  code: 'HS code of 2 to 10 digits, e.g. 85.',
};

/** A number where the parameter is one, one of the words that it lists, or a text that it accepts. */
function valueSchema({ schema, integer, rule }: Parameter<unknown>): z.ZodMiniType {
  if (integer !== undefined) return z.int().check(z.minimum(integer.minimum), z.maximum(integer.maximum));
  const sent = schema instanceof z.ZodMiniPipe ? schema.def.in : schema;
  if (sent instanceof z.ZodMiniEnum) return sent;
  return z.string().check(z.refine((text) => z.safeParse(schema, text).success, { error: rule }));
}

/**
 * Arguments as models write them, in the form that is published: `null` and empty text stand for no argument, a number
 * may be text and text a number, and a list, also one written as JSON, is comma-separated text.
 */
export function readable(given: unknown, { def: { shape } }: z.ZodMiniObject): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const entries = Object.entries(given).map(([name, value]): [string, unknown] => {
    const list = typeof value === 'string' && /^\s*\[.*\]\s*$/s.test(value) ? listIn(value) : value;
    const text = Array.isArray(list) ? list.join(',') : list;
    const schema = shape[name];
    const isInteger = schema !== undefined && toType(schema) === 'integer';
    if (isInteger) return [name, typeof text === 'string' && /^\s*\d+\s*$/.test(text) ? Number(text) : text];
    return [name, typeof text === 'number' ? String(text) : text];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== null && value !== ''));
}

const toType = (schema: z.core.$ZodType): unknown => z.toJSONSchema(schema, { io: 'input' }).type;

function listIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export function argument(name: string, parameter: Parameter<unknown>, required = false) {
  const schema = valueSchema(parameter);
  const stated = parameter.default === undefined ? parameter.description : `Default ${parameter.default}.`;
  const description = DESCRIPTIONS[name] ?? stated;
  return described(required ? schema : z.optional(schema), { description });
}

export const queryArguments = ({ query: { format: _, ...query } }: Route) =>
  Object.fromEntries(Object.entries(query).map(([name, parameter]) => [name, argument(name, parameter)]));

/** Refuses unknown arguments, and names the known ones; also refuses two arguments that exclude each other. */
export const toolInput = <S extends z.core.$ZodShape>(shape: S, exclusive: readonly string[] = []) =>
  z
    .strictObject(shape, {
      error: (issue) =>
        issue.code === 'unrecognized_keys'
          ? `unknown argument ${issue.keys.join(', ')}; this tool takes ${Object.keys(shape).join(', ') || 'none'}`
          : undefined,
    })
    .check(
      z.refine((input) => exclusive.filter((name) => Object.hasOwn(input as object, name)).length < 2, {
        error: `give ${exclusive.join(' or ')}, not both`,
      }),
    );

// Finds ports by what people call them.

const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = otherNames;
const COUNTRY_NAMES = new Intl.DisplayNames('en', { type: 'region' });

/** Letters that have no decomposition into a plain letter and a mark. */
const PLAIN: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', đ: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe' };

/** Lower-case letters and digits only, without diacritics: `Ust'-Luga` is `ustluga`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[øłđıßæœ]/g, (letter) => PLAIN[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '');

/** Whether the text is the UN/LOCODE, its last three characters, or a part of a name of the port or of its country. */
export function matches({ port, name, country }: PortRecord, search: string): boolean {
  const wanted = plain(search);
  if ([port, port.slice(2)].some((code) => code.toLowerCase() === wanted)) return true;
  const names = [name, ...(OTHER_NAMES[port] ?? []), COUNTRY_NAMES.of(country) ?? ''];
  return names.some((known) => plain(known).includes(wanted));
}

// A tool: its description for agents, its input, and the client calls that make its response.

type Row = Readonly<Record<string, unknown>>;

export interface ToolResponse {
  readonly rows: readonly Row[];
  readonly provenance: Provenance;
  /** Facts that the rows cannot state, each as a sentence. */
  readonly notes?: readonly string[];
  /** Requested ports without data, with the reason, which is not the same as nothing unusual. */
  readonly noData?: Readonly<Record<string, string>>;
}

/** `I` is the type that the input schema produces. */
export interface Tool<I = unknown> {
  readonly name: string;
  readonly title: string;
  /** When to use it, what its figures mean and their units. */
  readonly description: string;
  readonly input: z.ZodMiniObject;
  /** Schemas of the columns of its rows, in order, from the contract. */
  readonly columns: Readonly<Record<string, z.core.$ZodType>>;
  /** Rejects with a `ToolError`. */
  call(service: Service, input: I, signal: AbortSignal): Promise<ToolResponse>;
}

/** Erases the type of the input, so that one list can contain every tool. */
export const tool = <I>(definition: Tool<I>): Tool => definition as Tool;

const MAX_PORTS = 10;
const MAX_SUGGESTIONS = 5;
export const NO_PORTS =
  'The service lists no ports yet: its first ingest may still run. Try again in a minute.';

/** One text, as some clients refuse a choice of types; a list is read too. */
const codesIn = (unlocode: string): readonly string[] => [
  ...new Set(unlocode.split(/[,;]/).flatMap((code) => code.trim().toUpperCase() || [])),
];

const unlocode = described(
  z.string().check(
    z.refine((text: string) => codesIn(text).length > 0 && codesIn(text).length <= MAX_PORTS, {
      error: `names 1 to ${MAX_PORTS} ports`,
    }),
  ),
  { description: `UN/LOCODE, e.g. HKHKG; up to ${MAX_PORTS} to compare, separated by commas.` },
);

type PortOperation = 'snapshot' | 'trend' | 'waits' | 'forecast' | 'alerts';
type Query = Readonly<Record<string, unknown>>;

/** Requests an operation about a port with those arguments of the tool that it takes; `changed` replaces some of them. */
type PortRequest = <O extends PortOperation>(operation: O, changed?: Query) => Promise<ResponseOf<O>>;

export interface PortToolDefinition<O extends PortOperation>
  extends Pick<Tool, 'name' | 'title' | 'description' | 'columns'> {
  readonly operation: O;
  /** Default: the rows of the CSV form. */
  rows?(response: ResponseOf<O>): readonly Row[];
  /** Set where rows have an `as_of` of their own, which may be newer than that of the list of ports. */
  readonly timedRows?: true;
  /** Facts about a port that its rows cannot state. A port with neither rows nor notes has no data. */
  notes?(
    response: ResponseOf<O>,
    query: Query,
    request: PortRequest,
  ): readonly string[] | Promise<readonly string[]>;
}

function unknownPort(code: string, ports: readonly PortRecord[]): ToolError {
  const similar = ports.filter((record) => matches(record, code)).slice(0, MAX_SUGGESTIONS);
  const names = similar.map(({ port, name }) => `${port} (${name})`).join(', ');
  const advice = 'Find the code with list_ports: search takes a name, country or region narrow the list.';
  const hint = similar.length > 0 ? `Did you mean ${names}?` : ports.length === 0 ? NO_PORTS : advice;
  return new ToolError(`${code} is not the UN/LOCODE of a covered port.`, { code: 'not_found', hint });
}

/** The records of these ports. Throws for the code of an uncovered port. */
async function findPorts(
  service: Service,
  codes: readonly string[],
  signal: AbortSignal,
): Promise<readonly PortRecord[]> {
  const ports = await service.portsAround(codes, signal);
  return codes.map((code) => {
    const record = ports.find(({ port }) => port === code);
    if (record === undefined) throw unknownPort(code, ports);
    return record;
  });
}

/** Why a covered port has no rows. */
const findAbsence = ({ as_of, first_day, last_day }: PortRecord, knownOn: string | undefined): string =>
  as_of === null
    ? 'Nothing has been observed yet.'
    : knownOn !== undefined
      ? `Nothing of this span was known at the end of ${knownOn}; try a later as_of.`
      : `No reliable figures in this span; observations cover ${first_day} to ${last_day}.`;

/** The response; undefined for a covered port without data so far. */
const orNone = <T>(response: Promise<T>): Promise<T | undefined> =>
  response.catch((thrown) => {
    if (thrown instanceof ToolError && thrown.code === 'not_found') return undefined;
    throw thrown;
  });

interface PortInput {
  readonly unlocode: string;
  readonly as_of?: string;
}

/** The default window where the operation has one and neither it nor `days` is given. */
function withWindow<Q extends object>(query: Q, { exclusive }: Route): Q {
  return exclusive?.every((name) => !Object.hasOwn(query, name))
    ? { window: DEFAULT_WINDOW, ...query }
    : query;
}

export function portTool<O extends PortOperation>({
  operation,
  timedRows,
  notes = () => [],
  ...definition
}: PortToolDefinition<O>): Tool {
  const route: Route = ROUTES[operation];
  const { columns, rows: tableRows = (response) => csvRows(route, response) as Row[], ...texts } = definition;

  async function readPort(service: Service, record: PortRecord, query: Query, signal: AbortSignal) {
    const request: PortRequest = (other, changed) =>
      service.request(other, { UNLOCODE: record.port, ...query, ...changed }, signal);
    const response = await orNone(request(operation));
    if (response === undefined) return { record, rows: [], notes: [] };
    return {
      record,
      rows: tableRows(response).map((row): Row => ({ port: record.port, ...row })),
      notes: (await notes(response, query, request)).map((note) => `${record.port}: ${note}`),
    };
  }

  return tool({
    ...texts,
    input: toolInput({ unlocode, ...queryArguments(route) }, route.exclusive),
    columns: { port: locode, ...columns },
    async call(service, { unlocode: given, ...query }: PortInput, signal) {
      const records = await findPorts(service, codesIn(given), signal);
      const asked = withWindow(query, route);
      const ports = await Promise.all(records.map((record) => readPort(service, record, asked, signal)));
      const rows = ports.flatMap((port) => port.rows);
      const absent = ports.filter((port) => port.rows.length === 0 && port.notes.length === 0);
      const provenance = portProvenance(records, await service.tablesBehind(records, signal));
      const asOf = timedRows ? newest(rows.map((row) => row.as_of as string)) : provenance.as_of;
      return {
        rows,
        provenance: { ...provenance, as_of: asOf },
        notes: ports.flatMap((port) => port.notes),
        noData: Object.fromEntries(
          absent.map(({ record }) => [record.port, findAbsence(record, query.as_of)]),
        ),
      };
    },
  });
}

// Regions of the United Nations (M49, unstats.un.org/unsd/methodology/m49): the countries of each, by ISO 3166-1
// alpha-2 code.

/** The larger regions that contain a region, and its countries. M49 does not list Taiwan; CLDR has it in Eastern Asia. */
const AREAS = Object.entries(regions).map(([region, { within, countries }]) => ({
  names: [...within, region],
  countries: countries.split(' '),
}));

export const REGIONS: readonly string[] = [...new Set(AREAS.flatMap(({ names }) => names))].toSorted();

/** Countries of a region, whose name may be in any case; undefined for an unknown name. */
export function countriesIn(name: string): ReadonlySet<string> | undefined {
  const wanted = name.trim().toLowerCase();
  const inside = AREAS.filter(({ names }) => names.some((listed) => listed.toLowerCase() === wanted));
  return inside.length === 0 ? undefined : new Set(inside.flatMap(({ countries }) => countries));
}
