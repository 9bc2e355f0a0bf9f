/** The tools, in the order in which an agent meets them. */
import * as z from 'zod/mini';
import { asOfParameter, hsCodeParameter } from '../../core/contracts/parameters.ts';
import { type PortRecord, ROUTES } from '../../core/contracts/routes.ts';
import { described } from '../../core/contracts/wire.ts';
import { argument, queryArguments, toolInput } from './arguments.ts';
import { matches } from './port-search.ts';
import { NO_PORTS } from './port-tool.ts';
import { PORT_TOOLS } from './port-tools.ts';
import { findDeclaration, importProvenance, portProvenance } from './provenance.ts';
import { countriesIn, REGIONS } from './regions.ts';
import { type Tool, tool } from './tool.ts';

const text = (description: string) => described(z.string(), { description });

const RANKED = ['congestion_score', 'avg_wait_hours', 'at_anchor', 'in_port'] as const;
type Ranked = (typeof RANKED)[number];
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 500;

interface ListInput {
  readonly search?: string;
  readonly country?: string;
  readonly region?: string;
  readonly sort?: `-${Ranked}`;
  readonly limit?: number;
  readonly as_of?: string;
}

function narrowed(ports: readonly PortRecord[], { search, country, region }: ListInput): PortRecord[] {
  const countries = region === undefined ? undefined : countriesIn(region);
  return ports.filter(
    (record) =>
      (countries?.has(record.country) ?? true) &&
      (country === undefined || record.country === country.toUpperCase()) &&
      (search === undefined || matches(record, search)),
  );
}

function notesOn(
  ports: readonly PortRecord[],
  found: readonly PortRecord[],
  ranked: readonly PortRecord[],
  shown: readonly PortRecord[],
) {
  if (ports.length === 0) return [NO_PORTS];
  const unobserved = shown.filter(({ as_of }) => as_of === null).length;
  return [
    found.length === 0 &&
      'No covered port matches: try another spelling, a part of the name, a country or a region.',
    ranked.length < found.length &&
      `${found.length - ranked.length} matching ports do not have the figure and are omitted.`,
    shown.length < ranked.length &&
      `${shown.length} of ${ranked.length} ports: narrow with search, country or region, or raise limit.`,
    unobserved > 0 && `as_of is null where nothing has been observed yet: ${unobserved} of these ports.`,
  ].filter((note) => note !== false);
}

const {
  latitude: _lat,
  longitude: _lon,
  last_observed: _observed,
  ...listedFields
} = ROUTES.ports.response.element.shape;

const listPorts = tool({
  name: 'list_ports',
  title: 'Find or rank ports',
  description:
    'Covered seaports with their newest figures: finds the UN/LOCODE of a port by name, or ranks ports with sort; without it, ports with data come first. congestion_score is 0 (free) to 1 (congested), avg_wait_hours the mean wait; first_day to last_day have data. Check as_of: some sources are months old. evidence: observed (fetched in time), else a real reply was recorded or read, or the source is only expected to work; given: from a table that somebody gave to the service.',
  input: toolInput({
    search: z.optional(text('Code, part of a name in any spelling, or country name.')),
    country: z.optional(text('ISO 3166-1 alpha-2, e.g. FI.')),
    region: z.optional(
      text('UN M49 region, e.g. Asia, Northern Europe, South America.').check(
        z.refine((name: string) => countriesIn(name) !== undefined, {
          error: `must be one of ${REGIONS.join(', ')}`,
        }),
      ),
    ),
    sort: z.optional(
      described(z.enum(RANKED.map((figure) => `-${figure}` as const)), { description: 'Highest first.' }),
    ),
    limit: z.optional(
      described(z.int().check(z.minimum(1), z.maximum(MAX_LIMIT)), {
        description: `Rows; default ${DEFAULT_LIMIT}.`,
      }),
    ),
    as_of: argument('as_of', asOfParameter),
  }),
  columns: listedFields,
  async call(service, input: ListInput, signal) {
    const { sort, limit = DEFAULT_LIMIT, as_of } = input;
    const ports = await (as_of === undefined
      ? service.ports(signal, sort)
      : service.request('ports', { sort, as_of }, signal));
    const found = narrowed(ports, input);
    const has = (field: Ranked | 'as_of') => found.filter((record) => record[field] !== null);
    const ranked =
      sort === undefined ? [...new Set([...has('as_of'), ...found])] : has(sort.slice(1) as Ranked);
    const shown = ranked.slice(0, limit);
    const notes = notesOn(ports, found, ranked, shown);
    const provenance = portProvenance(shown, await service.tablesBehind(shown, signal));
    return { rows: shown, provenance, notes };
  },
});

const { port: _port, ...feedArguments } = queryArguments(ROUTES.alertFeed);

const listAlerts = tool({
  name: 'list_alerts',
  title: 'Alerts of all ports',
  description:
    'Which ports had alerts, newest UTC day first: thresholds crossed, levels changed, figures unusual for the port, such as berthings that stopped. For one port: port_alerts.',
  input: toolInput(feedArguments),
  columns: ROUTES.alertFeed.response.element.shape,
  async call({ request, portsAround, tablesBehind }, query: { readonly limit?: number }, signal) {
    const rows = await request('alertFeed', query, signal);
    const codes = new Set(rows.map(({ port }) => port));
    const ports = await portsAround([...codes], signal);
    const isFull = rows.length === (query.limit ?? ROUTES.alertFeed.query.limit.default);
    const observed = ports.filter(({ as_of }) => as_of !== null).length;
    const notes = [
      rows.length === 0 && `No alert matches; ${observed} of ${ports.length} ports have figures.`,
      isFull && 'A full page: continue with after, the id of the last row.',
    ].filter((note) => note !== false);
    const found = ports.filter(({ port }) => codes.has(port));
    return { rows, provenance: portProvenance(found, await tablesBehind(found, signal)), notes };
  },
});

const importMomentum = tool({
  name: 'import_momentum',
  title: 'Import momentum of a commodity',
  description:
    'Monthly import index of an HS code, newest 36 months, oldest first: 100 is the same three months a year before. National values, not of a port. Beta; not on the Lite plan.',
  input: toolInput({
    code: argument('code', hsCodeParameter, true),
    ...queryArguments(ROUTES.hsImports),
  }),
  columns: ROUTES.hsImports.response.element.shape,
  async call({ request }, query: { readonly code: string }, signal) {
    const [rows, sources] = await Promise.all([
      request('hsImports', query, signal),
      request('sources', {}, signal),
    ]);
    return {
      rows,
      provenance: importProvenance(sources),
      notes: rows.length === 0 ? [`No data: the service has no import values of HS ${query.code}.`] : [],
    };
  },
});

const { source, last_fetch_iso, evidence } = ROUTES.sources.response.element.shape;
const TEXT_OR_NULL = z.nullable(z.string());

const dataCoverage = tool({
  name: 'data_coverage',
  title: 'Sources behind the figures',
  description:
    'The upstream sources that the service has fetched, and each table of calls: newest fetch, number of ports, licence, since when and how late they publish. A source is down when its last_fetch_iso is older than stale_after_minutes. evidence as in list_ports.',
  input: toolInput({}),
  columns: {
    source,
    last_fetch_iso,
    publisher: TEXT_OR_NULL,
    licence: TEXT_OR_NULL,
    ports: z.int(),
    data_since: TEXT_OR_NULL,
    delay: TEXT_OR_NULL,
    stale_after_minutes: z.nullable(z.int()),
    evidence,
  },
  async call({ request, ports: listed }, _, signal) {
    const [ports, sources] = await Promise.all([listed(signal), request('sources', {}, signal)]);
    const terms = sources.flatMap((record) => {
      const count = ports.filter(({ sources }) => sources.includes(record.source)).length;
      const { tables } = record;
      if (tables !== undefined)
        return tables.map((table) => ({ ...table, record, count: table.ports.length }));
      const { publisher = null, licence = null } = findDeclaration(record.source) ?? {};
      return [{ record, publisher, licence, count }];
    });
    const rows = terms.map(({ record, publisher, licence, count }) => {
      const { source, last_fetch_iso } = record;
      const declared = findDeclaration(source);
      return {
        source,
        last_fetch_iso,
        publisher,
        licence,
        ports: count,
        data_since: declared?.coverage?.since ?? null,
        delay: declared?.coverage?.delay ?? null,
        stale_after_minutes: declared?.freshnessBudgetMinutes ?? null,
        evidence: record.evidence ?? null,
      };
    });
    const provenance = portProvenance(
      ports.filter((record) => record.sources.some((id) => rows.some(({ source }) => source === id))),
      sources.flatMap(({ tables = [] }) => tables),
    );
    const notes = rows.length === 0 ? ['No source has been fetched yet.'] : [];
    return { rows, provenance, notes };
  },
});

export const TOOLS: readonly Tool[] = [listPorts, ...PORT_TOOLS, listAlerts, importMomentum, dataCoverage];
