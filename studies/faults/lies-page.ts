/** The page of the campaign of lies: a section for each base, a row for each kind of lie, misses in bold. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { CaseResult } from './lying-upstream.ts';

const PAGE = new URL('../../docs/faults.md', import.meta.url);

const HEAD = `# An upstream that lies

<!-- Written by \`npm run study -- faults --only lies\`; do not edit. -->
Each case tells a service, which has read real replies of a source, an altered reply, and a second later the reply as it was. A lie is *refused* (its form is
not that of the source), *held* (what it says is implausible), or *harmless* (accepted, and every row of the tables is that of the reply as it was, or of the reply
without the files that are refused). After it the good reply must be accepted, and the tables must equal, row by row but for the source's status, those of a service
that was never lied to. Lies that change figures, and good replies that are refused or held after a lie, are in bold.
`;

const COLUMNS = '| Lie | Told | Refused | Held | Harmless | Figures changed | Good replies refused or held |';

const bold = (count: number): string => (count === 0 ? '0' : `**${count}**`);

function row(kind: string, results: readonly CaseResult[]): string {
  const count = (outcome: CaseResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const missed = results.filter(({ outcome }) => outcome === 'figures changed').map(({ what }) => what);
  const cells = [
    `${kind}${missed.length > 0 ? `: **${missed.join(', ')}**` : ''}`,
    String(results.length),
    String(count('refused')),
    String(count('held')),
    String(count('harmless')),
    bold(missed.length),
    bold(results.filter(({ isGoodRefused }) => isGoodRefused).length),
  ];
  return `| ${cells.join(' | ')} |`;
}

/** Markdown of one base. */
function section(name: string, results: readonly CaseResult[]): string {
  const kinds = [...new Set(results.map(({ kind }) => kind))];
  const rows = kinds.map((kind) =>
    row(
      kind,
      results.filter((result) => result.kind === kind),
    ),
  );
  return `## ${name}\n\n${[COLUMNS, '|---|--:|--:|--:|--:|--:|--:|', ...rows, row('All', results)].join('\n')}\n`;
}

/** Writes the sections that were measured; others stay as they are in the page. */
export function writeLiesPage(measured: ReadonlyMap<string, readonly CaseResult[]>): void {
  const [, ...kept] = existsSync(PAGE) ? readFileSync(PAGE, 'utf8').split(/^(?=## )/m) : [];
  const sections = new Map(kept.map((text) => [/^## (.*)$/m.exec(text)?.[1] ?? '', text.trimEnd()]));
  for (const [name, results] of measured) sections.set(name, section(name, results).trimEnd());
  writeFileSync(PAGE, `${[HEAD.trimEnd(), ...sections.values()].join('\n\n')}\n`);
}
