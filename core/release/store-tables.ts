/** The tables of the store that a release is made from, and how each is read: by key, or as a whole. */
import type { TableId } from '../store/tables.ts';

export const RELEASE_USES = {
  alerts: 'read',
  dailyMetrics: 'read',
  forecasts: 'read',
  importIndex: 'scan',
  portCalls: 'read',
  portClocks: 'read',
  ports: 'scan',
  raisedAlerts: 'read',
  sourceStatus: 'scan',
  stayDays: 'read',
  vintages: 'read',
  waitDays: 'read',
} as const satisfies { readonly [I in TableId]?: 'read' | 'scan' };

export type ReleaseTableId = keyof typeof RELEASE_USES;
export const RELEASE_READS = Object.keys(RELEASE_USES) as readonly ReleaseTableId[];
