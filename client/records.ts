/** The types of the wire, from the contract. The published declarations state them flat, from the same contract. */
export type { AlertRecord as Alert } from '../core/contracts/alerts.ts';
export type { DwellRecord as DwellPeriod } from '../core/contracts/dwell.ts';
export type { ErrorCode } from '../core/contracts/errors.ts';
export type { HealthRecord } from '../core/contracts/health.ts';
export type { HsImportPoint } from '../core/contracts/hs-imports.ts';
export type { Window } from '../core/contracts/parameters.ts';
export type { PortRecord } from '../core/contracts/ports.ts';
export type { SnapshotRecord as Snapshot } from '../core/contracts/snapshot.ts';
export type { SourceRecord } from '../core/contracts/sources.ts';
export type { TrendPoint } from '../core/contracts/trend.ts';
