/** Port calls, visits and fetches in the forms of the publisher, for tests. */
import { parseDigitraffic } from '../../../core/sources/fintraffic-digitraffic/parse.ts';
import type { ParsedFetch } from '../../../core/upstream/source.ts';
import { batchIn, filesOf } from '../../builders/source-replies.ts';

export const FETCHED_AT = Date.parse('2026-03-10T12:01:00Z');
const AS_OF = '2026-03-10T12:00:00Z';

export const area = (fields: Record<string, unknown> = {}) => ({
  portAreaCode: 'BF',
  portAreaName: 'Iso-Hakuni',
  berthCode: 'BF3',
  berthName: 'Ro-Ro 5',
  eta: '2026-03-10T04:00:00Z',
  etd: '2026-03-11T04:00:00Z',
  ata: null,
  atd: null,
  ...fields,
});

export const call = (fields: Record<string, unknown> = {}) => ({
  portCallId: 1,
  portCallTimestamp: '2026-03-10T11:00:00Z',
  portToVisit: 'FIRAU',
  vesselName: 'Trica',
  imoLloyds: 9307384,
  mmsi: 244912000,
  vesselTypeCode: 40,
  portAreaDetails: [area()],
  ...fields,
});

export const envelope = (...portCalls: unknown[]) => ({ dataUpdatedTime: AS_OF, portCalls });

export const visit = (fields: Record<string, unknown> = {}) => ({
  visitId: 'V-1',
  vesselId: '9307384',
  vesselName: 'Trica',
  portOfCall: 'FIRAU',
  eta: '2026-03-10T04:00:00Z',
  ata: null,
  atd: null,
  status: 'Arrived',
  updateTime: '2026-03-10T11:00:00Z',
  ...fields,
});

export const parseFiles = (contents: Record<string, unknown>, fetchedAt = FETCHED_AT): ParsedFetch =>
  parseDigitraffic({ fetchedAt, files: filesOf(contents) });

export const parseCalls = (...calls: unknown[]): ParsedFetch =>
  parseFiles({ 'port-calls.json': envelope(...calls) });

export const batchOf = (parsed: ParsedFetch, port = 'FIRAU') => batchIn(parsed, port);
