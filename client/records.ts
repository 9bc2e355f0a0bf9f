/** The types of the wire, from the contract. The published declarations state them flat, from the same contract. */
export type { Severity } from '../core/contracts/alerts.ts';
export type { ErrorCode } from '../core/contracts/errors.ts';
export type { ForecastMetric } from '../core/contracts/forecast.ts';
export type { Window } from '../core/contracts/parameters.ts';
export type { PortOrder } from '../core/contracts/ports.ts';
export type * from '../core/contracts/routes.ts';
export type { VesselClass } from '../core/contracts/waits.ts';
