/** What users of the client import. */
export { PortCongestionClient } from './client.ts';
export { type ClientErrorCode, PortCongestionError } from './error.ts';
export type { PortResult } from './many-ports.ts';
export type {
  AlertFeedOptions,
  AsOfOptions,
  CallOptions,
  ClientOptions,
  ForecastOptions,
  PortsOptions,
  RateLimit,
  ResponseInfo,
  TrendOptions,
  UntilOptions,
  WaitsOptions,
  WindowOptions,
} from './options.ts';
export type * from './records.ts';
