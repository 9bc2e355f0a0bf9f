/** The dependencies of the ingest: its tables, the raw archive, the network, secrets and a clock. */
import type { Alert, DailyMetrics } from '../metrics/figures.ts';
import type { Port } from '../reference/ports.ts';
import type { Clock } from '../reference/time.ts';
import { ALERTS, type AlertFeed, createAlertFeed } from '../store/alerts.ts';
import { type Beginnings, createBeginnings } from '../store/beginnings.ts';
import { type ServedDay, TREND } from '../store/daily-metrics.ts';
import { createForecastStore, type ForecastStore } from '../store/forecasts.ts';
import { IMPORTS, type ImportIndex } from '../store/import-index.ts';
import { createImportValueStore, type ImportValueStore } from '../store/import-values.ts';
import { createPortCallStore, type PortCallStore } from '../store/port-calls.ts';
import {
  createPortClockStore,
  createPortStore,
  PORTS,
  type PortClockStore,
  type PortStore,
} from '../store/ports.ts';
import { createRaisedAlertStore, type RaisedAlertStore } from '../store/raised-alerts.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { createSeriesStore, type SeriesStore } from '../store/series.ts';
import { createSourceStatusStore, type SourceStatusStore } from '../store/source-status.ts';
import { createStayDayStore, type StayDayStore } from '../store/stay-days.ts';
import type { Table } from '../store/table.ts';
import type { IngestTableId } from '../store/tables.ts';
import { WAITS, type WaitDayPart } from '../store/wait-days.ts';
import type { HttpClient } from '../upstream/http/http-client.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import type { PositionSteps } from './position-steps.ts';

/** The tables of one port. */
export interface PortStores {
  readonly ports: PortStore;
  readonly portClocks: PortClockStore;
  readonly portCalls: PortCallStore;
  readonly stayDays: StayDayStore;
  readonly dailyMetrics: SeriesStore<ServedDay, DailyMetrics>;
  readonly waitDays: SeriesStore<WaitDayPart>;
  readonly alerts: SeriesStore<Alert>;
  readonly alertFeed: AlertFeed;
  readonly raisedAlerts: RaisedAlertStore;
  readonly forecasts: ForecastStore;
  /** Since when anything of a port is known. */
  readonly beginnings: Beginnings;
}

/** The tables of import values. */
export interface ImportStores {
  readonly importValues: ImportValueStore;
  readonly importIndex: SeriesStore<ImportIndex>;
  /** Since when the index of a code is known. */
  readonly importBeginnings: Beginnings;
}

export interface IngestStores extends PortStores, ImportStores {
  readonly statuses: SourceStatusStore;
}

export function ingestStores(tables: Readonly<Record<IngestTableId, Table>>, now: Clock): IngestStores {
  const { vintages } = tables;
  return {
    ports: createPortStore(tables.ports, createSeriesStore(PORTS, tables.ports, vintages)),
    portClocks: createPortClockStore(tables.portClocks),
    portCalls: createPortCallStore(tables.portCalls),
    stayDays: createStayDayStore(tables.stayDays),
    dailyMetrics: createSeriesStore(TREND, tables.dailyMetrics, vintages),
    waitDays: createSeriesStore(WAITS, tables.waitDays, vintages),
    alerts: createSeriesStore(ALERTS, tables.alerts, vintages),
    alertFeed: createAlertFeed(tables.alertFeed),
    raisedAlerts: createRaisedAlertStore(tables.raisedAlerts),
    forecasts: createForecastStore(tables.forecasts),
    importValues: createImportValueStore(tables.importValues),
    importIndex: createSeriesStore(IMPORTS, tables.importIndex, vintages),
    beginnings: createBeginnings(vintages, 'ports'),
    importBeginnings: createBeginnings(vintages, 'imports'),
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
  /** The archive is another deployment's: nobody saw in time what is made from it. */
  readonly replays?: boolean;
  /** The lease's owner. A process that restarts under the same owner gets its own lease at once. */
  readonly owner: string;
}

/** Runs before each write and throws `LeaseLost` when this process no longer has the lease. */
export type BeforeWrite = () => Promise<void>;
