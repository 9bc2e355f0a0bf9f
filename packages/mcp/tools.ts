/** The tools, in the order in which an agent meets them. */
import * as z from 'zod/mini';
import { asOfParameter, hsCodeParameter } from '../../core/contracts/parameters.ts';
import { type PortRecord, ROUTES } from '../../core/contracts/routes.ts';
import { described } from '../../core/contracts/wire.ts';
import {
  argument,
  countriesIn,
  matches,
  NO_PORTS,
  portTool,
  queryArguments,
  REGIONS,
  type Tool,
  tool,
  toolInput,
} from './port-tool.ts';
import { findDeclaration, importProvenance, portProvenance } from './provenance.ts';

// Tools about ports that are named, each on one operation of the API.

const { vessels: vesselCounts, ...snapshotFields } = ROUTES.snapshot.response.def.shape;
// Single waits are omitted: a year of them fills the context of an agent, and quantiles suffice.
const { waits: _waits, ...waitFields } = ROUTES.waits.response.element.shape;
const { rows: forecastDays, skill: forecastSkill } = ROUTES.forecast.response.def.shape;
const { horizon: _horizon, ...skillFields } =
  forecastSkill.def.innerType.def.shape.horizons.element.def.shape;

const portSnapshot = portTool({
  operation: 'snapshot',
  name: 'port_snapshot',
  title: 'Congestion of ports now',
  description:
    'Newest state of ports, one row each, as of its as_of: congestion_score (0 free, 1 congested), mean hours from arrival to first berth over seven days of berthings, arrivals and departures of 24 hours, vessels at anchor and in port.',
  columns: { ...snapshotFields, ...vesselCounts.def.shape },
  rows: ({ vessels, ...state }) => [{ ...state, ...vessels }],
  timedRows: true,
});

const portTrend = portTool({
  operation: 'trend',
  name: 'port_trend',
  title: 'Congestion of ports, day by day',
  description:
    'One row a port and UTC day, oldest first: congestion_score (0 to 1), mean waiting hours, distinct vessels in port. Days without reliable figures are omitted, never zero.',
  columns: ROUTES.trend.response.element.shape,
});

const portWaits = portTool({
  operation: 'waits',
  name: 'port_waits',
  title: 'Wait statistics of ports, day by day',
  description:
    'One row a port and UTC day, unsmoothed, oldest first: vessels berthed, those that waited at anchor, share delayed 3 h or more, wait hours (mean, median, 90th percentile, longest), vessels still waiting, share of the day observed. Up to 366 days; not on the Lite plan.',
  columns: waitFields,
  async notes(days, { class: vesselClass }, request) {
    if (vesselClass === undefined || days.length > 0) return [];
    const allClasses = await request('waits', { class: undefined });
    return allClasses.length === 0
      ? []
      : [`no vessel is known to be ${vesselClass}; omit class for all vessels.`];
  },
});

const portForecast = portTool({
  operation: 'forecast',
  name: 'port_forecast',
  title: 'The next seven days of ports',
  description:
    'One row a port and UTC day from as_of on: p50, its 80 % band, the mean error of p50 at that horizon, its ratios to two simple rules (below 1 is better), the share of outcomes in the band. For the port, not for a vessel. Beta; not on Lite.',
  columns: { ...forecastDays.element.def.shape, ...skillFields },
  notes({ rows, as_of, reason, history_days: days, skill, replayed }) {
    const cause =
      reason === 'stale' ? `nothing observed since ${as_of}` : `only ${days} of 90 days of history`;
    return [
      ...(rows.length > 0 || as_of === null ? [] : [`no forecast, ${cause}.`]),
      ...(replayed ? ['made afterwards, from an archive: it was never served then.'] : []),
      ...(skill === null
        ? []
        : [`error and ratios from ${skill.origins} ${skill.basis} forecasts, ${skill.from} to ${skill.to}.`]),
    ];
  },
});

const portAlerts = portTool({
  operation: 'alerts',
  name: 'port_alerts',
  title: 'Alerts of ports',
  description:
    'Thresholds crossed, levels changed and figures unusual for the port, newest first, with severity, fractional change and a reason. A port without alerts is in notes if it has figures, and in no_data if it has none, which does not mean that nothing happened.',
  columns: ROUTES.alerts.response.element.shape,
  async notes(alerts, _, request) {
    if (alerts.length > 0) return [];
    const { length } = await request('trend');
    return length === 0 ? [] : [`nothing unusual; ${length} of the days asked for have figures.`];
  },
});

const PORT_TOOLS = [portSnapshot, portTrend, portWaits, portForecast, portAlerts];

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
