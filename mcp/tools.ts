/** The tools, in the order in which an agent meets them. */
import * as z from 'zod/mini';
import { WINDOWS, type Window } from '../core/contracts/parameters.ts';
import { ROUTES } from '../core/contracts/routes.ts';
import { VESSEL_CLASSES } from '../core/contracts/waits.ts';
import { described } from '../core/contracts/wire.ts';
import { declarationOf, isSample, provenanceOfImports, provenanceOfPorts } from './provenance.ts';
import type { Service } from './service.ts';
import { type Tool, type ToolResponse, tool } from './tool.ts';

const said = (description: string) => described(z.string(), { description });

const port = said('UN/LOCODE in upper case, for example HKHKG; list_ports has them.');
const window = described(z._default(z.enum(Object.keys(WINDOWS) as [Window, ...Window[]]), '30d'), {
  description: 'The last 7, 14 or 30 UTC days.',
});
const until = z.optional(said('Last UTC day of the window, YYYY-MM-DD, to read history; today without it.'));
const country = z.optional(
  said('ISO 3166-1 alpha-2 code of a country, for example FI; all countries without it.'),
);

/** The response to a request about one port, with its provenance. */
async function aboutPort<D>(service: Service, code: string, request: Promise<D>): Promise<ToolResponse<D>> {
  const data = await request;
  const ports = await service.ports();
  return { data, provenance: provenanceOfPorts(ports.filter((record) => record.port === code)) };
}

const listPorts = tool({
  name: 'list_ports',
  title: 'List covered ports',
  description:
    'Lists the seaports that the service covers: UN/LOCODE, name, country, position, sources, method, days with data and newest figures. Start here to find the code of a port by its name. Narrow the list with `country` or `search`.',
  input: z.object({
    country,
    search: z.optional(said('Part of the name of the port, in any case.')),
  }),
  data: ROUTES.ports.response,
  async call(service, { country: wanted, search = '' }) {
    const ports = await service.ports();
    const data = ports.filter(
      (record) =>
        (wanted === undefined || record.country === wanted.toUpperCase()) &&
        record.name.toLowerCase().includes(search.toLowerCase()),
    );
    return { data, provenance: provenanceOfPorts(data) };
  },
});

/** The figures that ports are ranked by. */
const RANKED = ['congestion_score', 'avg_wait_hours', 'at_anchor', 'in_port'] as const;

const rankPorts = tool({
  name: 'rank_ports',
  title: 'Rank ports by congestion',
  description:
    'The ports with the highest values of one newest figure, highest first: congestion score (0 free, 1 congested), mean waiting hours, vessels at anchor or vessels in port. Ports without the figure are omitted. Look at as_of of each port: some sources are months old.',
  input: z.object({
    by: described(z._default(z.enum(RANKED), 'congestion_score'), { description: 'The figure to rank by.' }),
    country,
    limit: described(z._default(z.int().check(z.minimum(1), z.maximum(200)), 10), {
      description: 'How many ports, 1 to 200.',
    }),
  }),
  data: ROUTES.ports.response,
  async call({ client }, { by, country: wanted, limit }, signal) {
    const ports = await client.ports({ sort: `-${by}`, country: wanted, signal });
    const data = ports.filter((record) => record[by] !== null).slice(0, limit);
    return { data, provenance: provenanceOfPorts(data) };
  },
});

const portSnapshot = tool({
  name: 'port_snapshot',
  title: 'Congestion of a port now',
  description:
    'The state of one port at `as_of`: congestion score (0 free, 1 congested), mean hours from arrival to first berth over seven days of berthings, vessels at anchor and in port, arrivals and departures of the last 24 hours.',
  input: z.object({ port }),
  data: ROUTES.snapshot.response,
  async call(service, { port: code }, signal) {
    const { data, provenance } = await aboutPort(service, code, service.client.snapshot(code, { signal }));
    return { data, provenance: { ...provenance, as_of: data.as_of } };
  },
});

const portTrend = tool({
  name: 'port_trend',
  title: 'Congestion of a port, day by day',
  description:
    'One row a UTC day, oldest first: congestion score (0 to 1), mean waiting hours, distinct vessels in port. Days without reliable figures are omitted, never zero. Use `until` for any past window.',
  input: z.object({ port, window, until }),
  data: ROUTES.trend.response,
  call: (service, { port: code, ...query }, signal) =>
    aboutPort(service, code, service.client.trend(code, { ...query, signal })),
});

/** Single waits are omitted: a year of them fills the context of an agent, and quantiles suffice. */
const waitDays = z.array(z.omit(ROUTES.waits.response.def.element, { waits: true }));

const portWaits = tool({
  name: 'port_waits',
  title: 'Wait statistics of a port, day by day',
  description:
    'One row a UTC day, unsmoothed, oldest first: how many vessels berthed, how many of them waited at anchor, share delayed by 3 h or more, mean, median, 90th percentile and longest wait in hours, vessels still waiting, and the share of the day that was observed. Up to 366 days in one call, so use it for history and to see how many vessels a figure is based on. Not on the Lite plan.',
  input: z.object({
    port,
    from: z.optional(said('First UTC day, YYYY-MM-DD; 29 days before `to` without it.')),
    to: z.optional(said('Last UTC day, YYYY-MM-DD; today without it.')),
    vessel_class: z.optional(
      described(z.enum(VESSEL_CLASSES), {
        description: 'Only vessels of this class, where the source states it.',
      }),
    ),
  }),
  data: waitDays,
  call: (service, { port: code, from, to, vessel_class }, signal) =>
    aboutPort(
      service,
      code,
      service.client
        .waits(code, { from, to, class: vessel_class, signal })
        .then((days) => days.map(({ waits: _, ...day }) => day)),
    ),
});

const portAlerts = tool({
  name: 'port_alerts',
  title: 'Alerts of a port',
  description:
    'Thresholds that were crossed and levels that changed at one port, newest first, each with severity, fractional change and a one-line reason. An empty list means that nothing unusual happened.',
  input: z.object({ port, window, until }),
  data: ROUTES.alerts.response,
  call: (service, { port: code, ...query }, signal) =>
    aboutPort(service, code, service.client.alerts(code, { ...query, signal })),
});

const importMomentum = tool({
  name: 'import_momentum',
  title: 'Import momentum of a commodity',
  description:
    'Monthly import index of an HS code, newest 36 months, oldest first: 100 is the same three months a year before. Beta; not on the Lite plan. Values are national, not of a port.',
  input: z.object({
    hs_code: said('HS code of 2, 4, 6, 8 or 10 digits, for example 85 for electrical machinery.'),
  }),
  data: ROUTES.hsImports.response,
  async call(service, { hs_code: code }, signal) {
    const data = await service.client.hsImports(code, { signal });
    return { data, provenance: provenanceOfImports(await service.sources()) };
  },
});

const coverage = z.array(
  z.object({
    source: z.string(),
    last_fetch_iso: said('Newest successful fetch.'),
    publisher: z.nullable(z.string()),
    licence: z.nullable(z.string()),
    ports: described(z.int(), { description: 'Covered ports of this source.' }),
    data_since: z.nullable(z.string()),
    delay: z.nullable(said('How old the newest event is when the source publishes it.')),
    stale_after_minutes: described(z.nullable(z.int()), {
      description: 'When last_fetch_iso is older than this, the source is down.',
    }),
    experimental: described(z.boolean(), { description: 'No real reply of the source has been read yet.' }),
    sample_data: z.boolean(),
  }),
);

const dataCoverage = tool({
  name: 'data_coverage',
  title: 'Sources behind the figures',
  description:
    'The upstream sources that the service has fetched: when, how many ports each covers, licence, how far back and how old its data are. Use it to judge whether a figure is current and where it comes from.',
  input: z.object({}),
  data: coverage,
  async call(service) {
    const [ports, sources] = await Promise.all([service.ports(), service.sources()]);
    const data = sources.map(({ source, last_fetch_iso }) => {
      const declared = declarationOf(source);
      return {
        source,
        last_fetch_iso,
        publisher: declared?.publisher ?? null,
        licence: declared?.licence ?? null,
        ports: ports.filter((record) => record.sources.includes(source)).length,
        data_since: declared?.coverage?.since ?? null,
        delay: declared?.coverage?.delay ?? null,
        stale_after_minutes: declared?.freshnessBudgetMinutes ?? null,
        experimental: declared?.experimental ?? false,
        sample_data: isSample(source),
      };
    });
    return { data, provenance: provenanceOfPorts(ports) };
  },
});

export const TOOLS: readonly Tool[] = [
  listPorts,
  rankPorts,
  portSnapshot,
  portTrend,
  portWaits,
  portAlerts,
  importMomentum,
  dataCoverage,
];
