/** The endpoints' functions: which folder answers an operation, what it reads, and its size. One line each. */
import type { OperationId } from '../core/contracts/routes.ts';
import type { TableUse } from './constructs/table-access.ts';

export interface EndpointFunction {
  /** Folder below lambdas/. */
  readonly handler: string;
  readonly tables: TableUse;
  /** Memory in MB; processor time is given in proportion. */
  readonly memoryMb: number;
}

export const ENDPOINTS: Readonly<Record<OperationId, EndpointFunction>> = {
  health: { handler: 'health', tables: {}, memoryMb: 256 },
  sources: { handler: 'source-status', tables: { sourceStatus: 'scan' }, memoryMb: 512 },
  ports: { handler: 'ports', tables: { ports: 'scan' }, memoryMb: 512 },
  trend: { handler: 'trend', tables: { dailyMetrics: 'read', ports: 'read' }, memoryMb: 512 },
  snapshot: { handler: 'snapshot', tables: { ports: 'read' }, memoryMb: 512 },
  dwell: { handler: 'dwell', tables: { stayDays: 'read', ports: 'read' }, memoryMb: 512 },
  alerts: { handler: 'alerts', tables: { alerts: 'read', ports: 'read' }, memoryMb: 512 },
  hsImports: { handler: 'hs-imports', tables: { importIndex: 'read' }, memoryMb: 512 },
};
