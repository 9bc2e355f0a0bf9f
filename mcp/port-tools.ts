/** Tools about ports that are named: each has a row for every port and time, so that one call compares ports. */
import * as z from 'zod/mini';
import { type AsOfOptions, PortCongestionError, type WindowOptions } from '../client/index.ts';
import { FORECAST_METRICS, type Forecast } from '../core/contracts/forecast.ts';
import { WINDOWS, type Window } from '../core/contracts/parameters.ts';
import { type PortRecord, ROUTES } from '../core/contracts/routes.ts';
import { VESSEL_CLASSES } from '../core/contracts/waits.ts';
import { described } from '../core/contracts/wire.ts';
import { isDay } from '../core/reference/time.ts';
import { matches } from './port-search.ts';
import { newest, provenanceOfPorts } from './provenance.ts';
import type { Service } from './service.ts';
import { type Row, readInput, ToolError, type ToolResponse, tool } from './tool.ts';

const MAX_PORTS = 10;
const MAX_SUGGESTIONS = 5;
export const NO_PORTS =
  'The service lists no ports yet: its first ingest may still run. Try again in a minute.';

const unlocode = described(
  z.union([z.string(), z.array(z.string()).check(z.minLength(1), z.maxLength(MAX_PORTS))]),
  { description: `UN/LOCODE, e.g. HKHKG, or up to ${MAX_PORTS} of them to compare.` },
);
const day = (description: string) =>
  z.optional(
    described(z.string().check(z.refine(isDay, { error: 'must be a UTC day, YYYY-MM-DD' })), { description }),
  );

/** Of every tool whose figures have vintages. */
export const asOf = day('As known at the end of this UTC day.');

const DEFAULT_WINDOW: Window = '30d';
const span = {
  window: z.optional(
    described(z.enum(Object.keys(WINDOWS) as [Window, ...Window[]]), {
      description: `Last UTC days; default ${DEFAULT_WINDOW}.`,
    }),
  ),
  days: z.optional(
    described(z.int().check(z.minimum(1), z.maximum(30)), { description: 'Instead of window.' }),
  ),
  until: day('Last UTC day, YYYY-MM-DD, for history; default today.'),
  as_of: asOf,
};
const spanned = readInput({ unlocode, ...span }).check(
  z.refine(({ window, days }) => window === undefined || days === undefined, {
    error: 'give window or days, not both',
  }),
);
type Spanned = z.output<typeof spanned>;
type SpanOptions = WindowOptions & AsOfOptions & { window: Window };

const readSpan = ({ window = DEFAULT_WINDOW, days, until, as_of }: Spanned): SpanOptions =>
  ({ ...(days === undefined ? { window } : { days }), until, asOf: as_of }) as SpanOptions;

const listCodes = (given: string | readonly string[]): string[] => [
  ...new Set([given].flat().map((code) => code.trim().toUpperCase())),
];

function unknownPort(code: string, ports: readonly PortRecord[]): ToolError {
  const similar = ports.filter((record) => matches(record, code)).slice(0, MAX_SUGGESTIONS);
  return new ToolError(
    'not_found',
    `${code} is not the UN/LOCODE of a covered port.`,
    similar.length > 0
      ? `Did you mean ${similar.map(({ port, name }) => `${port} (${name})`).join(', ')}?`
      : ports.length === 0
        ? NO_PORTS
        : 'Find the code with list_ports: search takes a name, country or region narrow the list.',
  );
}

/** Why a covered port has no rows. */
const findAbsence = ({ as_of, first_day, last_day }: PortRecord, then: string | undefined): string =>
  as_of === null
    ? 'Nothing has been observed yet.'
    : then !== undefined
      ? `Nothing of this span was known at the end of ${then}; try a later as_of.`
      : `No reliable figures in this span; observations cover ${first_day} to ${last_day}.`;

interface Subject {
  readonly given: string | readonly string[];
  readonly asOf: string | undefined;
}

const subject = (input: {
  readonly unlocode: Subject['given'];
  readonly as_of?: Subject['asOf'];
}): Subject => ({
  given: input.unlocode,
  asOf: input.as_of,
});

/** Rows of each port, with its code before them. `empty` explains the empty list of a port that has data all the same. */
async function aboutPorts(
  service: Service,
  { given, asOf: then }: Subject,
  signal: AbortSignal,
  rowsOf: (code: string) => Promise<readonly Row[]>,
  empty?: (code: string) => Promise<string | undefined>,
): Promise<ToolResponse> {
  const codes = listCodes(given);
  const ports = await service.portsAround(codes, signal);
  const records = codes.map((code) => {
    const record = ports.find(({ port }) => port === code);
    if (record === undefined) throw unknownPort(code, ports);
    return record;
  });
  const noData: Record<string, string> = {};
  const notes: string[] = [];
  const rows = await Promise.all(
    records.map(async (record) => {
      const found = await rowsOf(record.port);
      const explained = found.length === 0 ? await empty?.(record.port) : undefined;
      if (explained !== undefined) notes.push(explained);
      else if (found.length === 0) noData[record.port] = findAbsence(record, then);
      return found.map((row) => ({ port: record.port, ...row }));
    }),
  );
  return { rows: rows.flat(), provenance: provenanceOfPorts(records), notes, noData };
}

const columns = (rows: { def: { element: { def: { shape: object } } } }): string[] =>
  Object.keys(rows.def.element.def.shape);

const portSnapshot = tool({
  name: 'port_snapshot',
  title: 'Congestion of ports now',
  description:
    'Newest state of ports, one row each, as of its as_of: congestion_score (0 free, 1 congested), mean hours from arrival to first berth over seven days of berthings, arrivals and departures of 24 hours, vessels at anchor and in port.',
  input: readInput({ unlocode, as_of: asOf }),
  columns: [
    'port',
    'as_of',
    'congestion_score',
    'avg_wait_hours',
    ...Object.keys(ROUTES.snapshot.response.def.shape.vessels.def.shape),
  ],
  async call(service, input, signal) {
    const response = await aboutPorts(service, subject(input), signal, async (code) => {
      try {
        const { vessels, ...state } = await service.client.snapshot(code, { asOf: input.as_of, signal });
        return [{ ...state, ...vessels }];
      } catch (thrown) {
        // The port is covered: it has no snapshot yet.
        if (thrown instanceof PortCongestionError && thrown.code === 'not_found') return [];
        throw thrown;
      }
    });
    // The list behind the provenance may be older than the snapshots.
    const asOf = newest(response.rows.map((row) => row.as_of as string));
    return { ...response, provenance: { ...response.provenance, as_of: asOf } };
  },
});

const portTrend = tool({
  name: 'port_trend',
  title: 'Congestion of ports, day by day',
  description:
    'One row a port and UTC day, oldest first: congestion_score (0 to 1), mean waiting hours, distinct vessels in port. Days without reliable figures are omitted, never zero.',
  input: spanned,
  columns: ['port', ...columns(ROUTES.trend.response)],
  call: (service, input, signal) =>
    aboutPorts(service, subject(input), signal, (code) =>
      service.client.trend(code, { ...readSpan(input), signal }),
    ),
});

const portWaits = tool({
  name: 'port_waits',
  title: 'Wait statistics of ports, day by day',
  description:
    'One row a port and UTC day, unsmoothed, oldest first: vessels berthed, those that waited at anchor, share delayed 3 h or more, wait hours (mean, median, 90th percentile, longest), vessels still waiting, share of the day observed. Up to 366 days; not on the Lite plan.',
  input: readInput({
    unlocode,
    from: day('First UTC day, YYYY-MM-DD; default 29 days before to.'),
    to: day('Last UTC day; default today.'),
    class: z.optional(
      described(z.enum(VESSEL_CLASSES), { description: 'Only this class, where the source states it.' }),
    ),
    as_of: asOf,
  }),
  // Single waits are omitted: a year of them fills the context of an agent, and quantiles suffice.
  columns: ['port', ...columns(ROUTES.waits.response).filter((name) => name !== 'waits')],
  call: (service, { unlocode: given, as_of, ...rest }, signal) => {
    const query = { ...rest, asOf: as_of };
    return aboutPorts(
      service,
      { given, asOf: as_of },
      signal,
      async (code) => {
        const days = await service.client.waits(code, { ...query, signal });
        return days.map(({ waits: _, ...row }) => row);
      },
      async (code) => {
        if (query.class === undefined) return undefined;
        const { class: _, ...unfiltered } = query;
        const days = await service.client.waits(code, { ...unfiltered, signal });
        return days.length === 0
          ? undefined
          : `${code}: no vessel is known to be ${query.class}; omit class for all vessels.`;
      },
    );
  },
});

const FORECAST_COLUMNS = [
  'date',
  'p10',
  'p50',
  'p90',
  'method',
  'error',
  'ratio_to_persistence',
  'ratio_to_median',
  'coverage',
] as const;

const portForecast = tool({
  name: 'port_forecast',
  title: 'The next seven days of ports',
  description:
    'One row a port and UTC day from today on: p50 and its 80 % band, with the mean error of p50 so many days ahead, its ratios to two simple rules (below 1 is better) and the share of outcomes in the band. Of the port, not of a vessel. Beta; not on Lite.',
  input: readInput({
    unlocode,
    metric: z.optional(described(z.enum(FORECAST_METRICS), { description: 'Default avg_wait_hours.' })),
  }),
  columns: ['port', ...FORECAST_COLUMNS],
  async call(service, { unlocode: given, metric }, signal) {
    const forecasts = new Map<string, Forecast>();
    const response = await aboutPorts(
      service,
      { given, asOf: undefined },
      signal,
      async (code) => {
        const forecast = await service.client.forecast(code, { metric, signal });
        forecasts.set(code, forecast);
        const { rows, skill } = forecast;
        return rows.map((row, at) => ({ ...skill?.horizons[at], ...row }));
      },
      async (code) => {
        const { reason, as_of, history_days: days } = forecasts.get(code) as Forecast;
        if (as_of === null) return undefined;
        return `${code}: no forecast, ${reason === 'stale' ? `nothing observed since ${as_of}` : `only ${days} of 90 days of history`}.`;
      },
    );
    const skills = [...forecasts].flatMap(([code, { skill }]) =>
      skill === null
        ? []
        : [
            `${code}: error and ratios from ${skill.origins} ${skill.basis} forecasts, ${skill.from} to ${skill.to}.`,
          ],
    );
    return { ...response, notes: [...(response.notes ?? []), ...skills] };
  },
});

const portAlerts = tool({
  name: 'port_alerts',
  title: 'Alerts of ports',
  description:
    'Thresholds crossed, levels changed and figures unusual for the port, newest first, with severity, fractional change and a reason. A port without alerts is in notes if it has figures, and in no_data if it has none, which does not mean that nothing happened.',
  input: spanned,
  columns: ['port', ...columns(ROUTES.alerts.response)],
  call: (service, input, signal) =>
    aboutPorts(
      service,
      subject(input),
      signal,
      (code) => service.client.alerts(code, { ...readSpan(input), signal }),
      async (code) => {
        const { length } = await service.client.trend(code, { ...readSpan(input), signal });
        return length === 0
          ? undefined
          : `${code}: nothing unusual; ${length} of the days asked for have figures.`;
      },
    ),
});

export const PORT_TOOLS = [portSnapshot, portTrend, portWaits, portForecast, portAlerts];
