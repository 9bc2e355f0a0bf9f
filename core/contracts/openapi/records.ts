/** The records by the names under which the OpenAPI file and the typed client know them. */
import { alertRecord } from '../alerts.ts';
import { dwellPeriod } from '../dwell.ts';
import { errorEnvelope } from '../error-envelope.ts';
import { healthRecord } from '../health.ts';
import { hsImportPoint } from '../hs-imports.ts';
import { portRecord } from '../ports.ts';
import { snapshot } from '../snapshot.ts';
import { sourceRecord } from '../sources.ts';
import { trendPoint } from '../trend.ts';

export const RECORDS = {
  HealthRecord: healthRecord,
  SourceRecord: sourceRecord,
  PortRecord: portRecord,
  TrendPoint: trendPoint,
  Snapshot: snapshot,
  DwellPeriod: dwellPeriod,
  Alert: alertRecord,
  HsImportPoint: hsImportPoint,
  ErrorEnvelope: errorEnvelope,
} as const;

export type RecordName = keyof typeof RECORDS;
