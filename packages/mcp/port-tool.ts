/** A tool about ports that are named: rows of every port in one table, so that one call compares ports. */
import * as z from 'zod/mini';
import { csvRows, type Route } from '../../core/contracts/route.ts';
import { type PortRecord, type ResponseOf, ROUTES } from '../../core/contracts/routes.ts';
import { described, locode } from '../../core/contracts/wire.ts';
import { DEFAULT_WINDOW, queryArguments, toolInput } from './arguments.ts';
import { matches } from './port-search.ts';
import { newest, portProvenance } from './provenance.ts';
import { type Service, ToolError } from './service.ts';
import { type Row, type Tool, tool } from './tool.ts';

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
