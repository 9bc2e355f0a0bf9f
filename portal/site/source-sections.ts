/** The sources with licence, attribution, cadence and budget, from their declarations; for people and as a file. */
import { knownSource } from '../../core/reference/evidence.ts';
import { findPort } from '../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { SAMPLE_DECLARATION } from '../../core/sources/sample-simulator/declaration.ts';
import type { SourceDeclaration } from '../../core/upstream/source.ts';
import { durationText, type ListedSource } from '../api/source-list.ts';
import { markdownTable } from './markdown.ts';

/** The sample is listed with the others, because a local service may serve nothing else. */
const DECLARED: readonly SourceDeclaration[] = [...SOURCE_DECLARATIONS, SAMPLE_DECLARATION];

export const listedSources = (): ListedSource[] =>
  DECLARED.map((source) => ({
    id: source.id,
    name: source.name,
    publisher: source.publisher,
    trade: source.kind === 'trade',
    homepage: source.homepage,
    licence: source.licence,
    attribution: source.attribution,
    everyMinutes: source.everyMinutes,
    freshnessBudgetMinutes: source.freshnessBudgetMinutes,
    passesOnCalls: source.passesOnCalls === true,
    simulated: source.id === SAMPLE_DECLARATION.id,
  }));

const KINDS: Readonly<Record<SourceDeclaration['kind'], string>> = {
  polls: 'shows the present only, so it is polled and changes are dated between two polls',
  events: 'states the times of arrival, berthing and departure itself',
  trade: 'monthly import values',
};

function section(source: SourceDeclaration): string {
  const { homepage } = source;
  const ports = source.ports.map((code) => `${findPort(code)?.name ?? code} (\`${code}\`)`);
  return [
    `## ${source.name}`,
    markdownTable(
      ['', ''],
      [
        ['Id', `\`${source.id}\``],
        ['Publisher', source.publisher],
        ...(homepage === undefined ? [] : [['Page', `[${new URL(homepage).hostname}](${homepage})`]]),
        ['Evidence', knownSource(source.id).evidence],
        ['Licence', source.licence],
        ['Attribution to show', source.attribution],
        ['Kind', KINDS[source.kind]],
        ['Fetched every', durationText(source.everyMinutes)],
        ['Stale after', durationText(source.freshnessBudgetMinutes)],
        ...(ports.length > 0 ? [['Ports', ports.join(', ')]] : []),
      ],
    ),
  ].join('\n\n');
}

export const sourceSections = (): string => DECLARED.map(section).join('\n\n');
