/** The sources behind a port: those that the build lists, and each table of calls as the service states it. */
import type { PortRecord } from '../../core/contracts/ports.ts';
import type { SourceRecord } from '../../core/contracts/sources.ts';
import { requestPath } from '../api/responses.ts';
import { type ListedSource, sourcesBehind } from '../api/source-list.ts';
import type { Explorer } from './explorer.ts';

/** Their terms are those of each table, so the build does not list them. */
const CALL_TABLES = 'call-tables';
const SOURCES = requestPath('sources');

/** The tables of a port, as sources. */
export const tableSources = (records: readonly SourceRecord[], port: string): ListedSource[] =>
  records
    .flatMap(({ tables = [] }) => tables)
    .filter(({ ports }) => ports.includes(port))
    .map(({ name, publisher, licence, attribution, calls }) => ({
      id: CALL_TABLES,
      name: `table of calls ${name}`,
      publisher: publisher ?? name,
      trade: false,
      licence: licence ?? 'not stated',
      attribution:
        attribution ?? `Publisher: ${publisher ?? 'not stated'}, licence: ${licence ?? 'not stated'}`,
      everyMinutes: 0,
      freshnessBudgetMinutes: 0,
      passesOnCalls: calls,
      simulated: false,
    }));

export function portSources(
  { responses }: Explorer,
  listed: readonly ListedSource[],
  { port, sources }: Pick<PortRecord, 'port' | 'sources'>,
): ListedSource[] {
  const declared = sourcesBehind(listed, sources);
  if (!sources.includes(CALL_TABLES)) return declared;
  const outcome = responses.read(SOURCES);
  const records = outcome?.kind === 'data' ? (outcome.body as readonly SourceRecord[]) : [];
  return [...declared, ...tableSources(records, port)];
}
