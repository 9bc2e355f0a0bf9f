/** Names that the metrics, the tables and the contract share. */

/** What a cargo vessel is built for; `other` is every type that the source states and that is none of the three. */
export const VESSEL_CLASSES = ['container', 'bulk', 'tanker', 'other'] as const;
export type VesselClass = (typeof VESSEL_CLASSES)[number];

export const ALERT_TYPES = ['threshold', 'change_point', 'unusual'] as const;
export type AlertType = (typeof ALERT_TYPES)[number];

/** The metrics that have a level: lines and change points are found in them. */
const LEVEL_METRICS = ['congestion_score', 'avg_wait_hours', 'at_anchor'] as const;
export type LevelMetric = (typeof LEVEL_METRICS)[number];
export const ALERT_METRICS = [...LEVEL_METRICS, 'berthings'] as const;
export type AlertMetric = (typeof ALERT_METRICS)[number];

/** Ascending. */
export const SEVERITIES = ['low', 'medium', 'high'] as const;
export type Severity = (typeof SEVERITIES)[number];
export const severityRank = (severity: Severity): number => SEVERITIES.indexOf(severity);

export const FORECAST_METRICS = ['avg_wait_hours', 'at_anchor', 'congestion_score'] as const;
export type ForecastMetric = (typeof FORECAST_METRICS)[number];

/** How `p50` of a forecast is made: the regression, or one of the two base lines. */
export const FORECAST_METHODS = ['regression', 'median', 'persistence'] as const;
export type ForecastMethod = (typeof FORECAST_METHODS)[number];
