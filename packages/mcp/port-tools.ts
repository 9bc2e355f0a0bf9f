/** Tools about ports that are named, each on one operation of the API. */
import { ROUTES } from '../../core/contracts/routes.ts';
import { portTool } from './port-tool.ts';

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

export const PORT_TOOLS = [portSnapshot, portTrend, portWaits, portForecast, portAlerts];
