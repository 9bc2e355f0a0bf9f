/** What users of the client import. */
export { PortCongestionClient } from './client.ts';
export { type ClientErrorCode, PortCongestionError } from './error.ts';
export type {
  CallOptions,
  ClientOptions,
  RateLimit,
  ResponseInfo,
  TrendOptions,
  WindowOptions,
} from './options.ts';
export type {
  Alert,
  DwellPeriod,
  ErrorCode,
  HealthRecord,
  HsImportPoint,
  PortRecord,
  Snapshot,
  SourceRecord,
  TrendPoint,
  Window,
} from './records.ts';
