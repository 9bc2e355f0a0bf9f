/** The dependencies of the ingest: its tables, the raw archive, the network, secrets and a clock. */
import type { Port } from '../reference/ports.ts';
import type { Clock } from '../reference/time.ts';
import { type AlertStore, createAlertStore } from '../store/alerts.ts';
import { createDailyMetricsStore, type DailyMetricsStore } from '../store/daily-metrics.ts';
import { createForecastStore, type ForecastStore } from '../store/forecasts.ts';
import { createImportIndexStore, type ImportIndexStore } from '../store/import-index.ts';
import { createImportValueStore, type ImportValueStore } from '../store/import-values.ts';
import { createPortCallStore, type PortCallStore } from '../store/port-calls.ts';
import {
  createPortClockStore,
  createPortStore,
  type PortClockStore,
  type PortStore,
} from '../store/ports.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { createSourceStatusStore, type SourceStatusStore } from '../store/source-status.ts';
import { createStayDayStore, type StayDayStore } from '../store/stay-days.ts';
import type { Table } from '../store/table.ts';
import type { IngestTableId } from '../store/tables.ts';
import { createVintageStore, type VintageStore } from '../store/vintages.ts';
import { createWaitDayStore, type WaitDayStore } from '../store/wait-days.ts';
import type { HttpClient } from '../upstream/http/http-client.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import type { PositionSteps } from './position-steps.ts';

/** The tables of one port. */
export interface PortStores {
  readonly ports: PortStore;
  readonly portClocks: PortClockStore;
  readonly portCalls: PortCallStore;
  readonly stayDays: StayDayStore;
  readonly dailyMetrics: DailyMetricsStore;
  readonly waitDays: WaitDayStore;
  readonly alerts: AlertStore;
  readonly forecasts: ForecastStore;
  readonly vintages: VintageStore;
}

/** The tables of import values. */
export interface ImportStores {
  readonly importValues: ImportValueStore;
  readonly importIndex: ImportIndexStore;
}

export interface IngestStores extends PortStores, ImportStores {
  readonly statuses: SourceStatusStore;
}

export function ingestStores(tables: Readonly<Record<IngestTableId, Table>>, now: Clock): IngestStores {
  const vintages = createVintageStore(tables.vintages);
  return {
    ports: createPortStore(tables.ports),
    portClocks: createPortClockStore(tables.portClocks),
    portCalls: createPortCallStore(tables.portCalls),
    stayDays: createStayDayStore(tables.stayDays),
    dailyMetrics: createDailyMetricsStore(tables.dailyMetrics),
    waitDays: createWaitDayStore(tables.waitDays),
    alerts: createAlertStore(tables.alerts, tables.alertFeed),
    forecasts: createForecastStore(tables.forecasts),
    importValues: createImportValueStore(tables.importValues),
    importIndex: createImportIndexStore(tables.importIndex, vintages),
    vintages,
    statuses: createSourceStatusStore(tables.sourceStatus, now),
  };
}

export interface IngestDependencies extends IngestStores {
  readonly archive: RawArchive;
  /** States and calls of sources of positions. */
  readonly steps: PositionSteps;
  readonly httpFor: (declaration: SourceDeclaration) => HttpClient;
  /** Undefined when the secret that the source declares is not configured. */
  readonly secretFor: (declaration: SourceDeclaration) => Promise<string | undefined>;
  readonly findPort: (code: string) => Port | undefined;
  readonly now: Clock;
  /** The lease's owner. A process that restarts under the same owner gets its own lease at once. */
  readonly owner: string;
}

/** Runs before each write and throws `LeaseLost` when this process no longer has the lease. */
export type BeforeWrite = () => Promise<void>;
