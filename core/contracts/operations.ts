/** The operations of the API by name: the one list that everything else is held against. */

export const OPERATION_IDS = [
  'health',
  'sources',
  'ports',
  'trend',
  'snapshot',
  'dwell',
  'alerts',
  'hsImports',
] as const;

export type OperationId = (typeof OPERATION_IDS)[number];
