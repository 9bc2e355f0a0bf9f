/** The dependencies of the ingest: its tables, the raw archive, the network, secrets and a clock. */
import type { Port } from '../reference/ports.ts';
import type { Clock } from '../reference/time.ts';
import { ALERTS, createAlertFeed, createRaisedAlertStore } from '../store/alerts.ts';
import { createStayDayStore, TREND, WAITS } from '../store/day-series.ts';
import { createFetchImageStore } from '../store/fetch-images.ts';
import { createForecastStore } from '../store/forecasts.ts';
import { createImportValueStore, IMPORTS } from '../store/imports.ts';
import { createPortCallStore } from '../store/port-calls.ts';
import { createPortClockStore, createPortStore, PORTS } from '../store/ports.ts';
import type { RawArchive } from '../store/raw-archive.ts';
import { createBeginnings, createSeriesStore } from '../store/series.ts';
import { createSourceStatusStore } from '../store/source-status.ts';
import type { Table } from '../store/table.ts';
import type { IngestTableId } from '../store/tables.ts';
import type { HttpClient } from '../upstream/http-client.ts';
import type { SourceDeclaration } from '../upstream/source.ts';
import type { PositionSteps } from './positions.ts';

export type IngestStores = ReturnType<typeof ingestStores>;

export function ingestStores(tables: Readonly<Record<IngestTableId, Table>>, now: Clock) {
  const { vintages } = tables;
  return {
    ports: createPortStore(tables.ports, createSeriesStore(PORTS, tables.ports, vintages)),
    portClocks: createPortClockStore(tables.portClocks),
    portCalls: createPortCallStore(tables.portCalls),
    /** The same rows, written without an age at which they expire. */
    lastingCalls: createPortCallStore(tables.portCalls, false),
    fetchImages: createFetchImageStore(tables.portCalls),
    stayDays: createStayDayStore(tables.stayDays),
    dailyMetrics: createSeriesStore(TREND, tables.dailyMetrics, vintages),
    waitDays: createSeriesStore(WAITS, tables.waitDays, vintages),
    alerts: createSeriesStore(ALERTS, tables.alerts, vintages),
    alertFeed: createAlertFeed(tables.alertFeed),
    raisedAlerts: createRaisedAlertStore(tables.raisedAlerts),
    forecasts: createForecastStore(tables.forecasts),
    importValues: createImportValueStore(tables.importValues),
    importIndex: createSeriesStore(IMPORTS, tables.importIndex, vintages),
    /** Since when anything of a port is known. */
    beginnings: createBeginnings(vintages, 'ports'),
    /** Since when the index of a code is known. */
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
  /** The archive is another deployment's, so results from it were not served in time. */
  readonly replays?: boolean;
  /** The lease's owner. A process that restarts under the same owner gets its own lease at once. */
  readonly owner: string;
}

/** Runs before each write and throws `LeaseLost` when this process no longer has the lease. */
export type BeforeWrite = () => Promise<void>;
