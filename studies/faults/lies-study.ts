/** The campaign of lies: every base with every lie, and its page. */
import type { FaultReport } from '../../test/faults/fault-run.ts';
import type { Lie } from '../../test/faults/lies.ts';
import { type CaseResult, lieAbout, lieBelow } from '../../test/faults/lying-upstream.ts';
import { replyBases } from '../../test/faults/reply-bases.ts';
import { isForced, writeLiesPage } from './lies-page.ts';

/** Replies in a row that a persistent lie alters. */
const PATIENCE = 5;

const wordsOf = ({ kind, what, outcome, detail, afterwards }: CaseResult): string =>
  `${kind}, ${what}: ${[outcome, detail, afterwards].filter(Boolean).join('; ')}`;

/** The results of the lies about every base, or about those whose names begin with one of `chosen`. */
export async function lies(
  folders: readonly string[],
  chosen: readonly string[] = [''],
): Promise<FaultReport> {
  const measured = new Map<string, CaseResult[]>();
  const bases = replyBases(folders).filter(({ name }) => chosen.some((begin) => name.startsWith(begin)));
  const add = (name: string, results: readonly CaseResult[]): void => {
    measured.set(name, [...(measured.get(name) ?? []), ...results]);
    // At once: some bases take long.
    writeLiesPage(measured);
    for (const result of results)
      if ((result.outcome === 'figures changed' && !isForced(result)) || result.afterwards !== undefined)
        console.log(`${name}: ${wordsOf(result)}`);
  };
  for (const { name, make } of bases) {
    const base = make();
    const results = [...(await lieAbout(base)), ...(await lieBelow(base))];
    const isPatient = base.replies.length > 2 * PATIENCE;
    const aboutLists = ({ kind }: Lie): boolean => kind.startsWith('all lists');
    if (isPatient) results.push(...(await lieAbout(base, aboutLists, { patience: PATIENCE })));
    add(name, results);
  }
  for (const { name, make } of bases) {
    const nameOf = ({ kind, what }: Pick<Lie, 'kind' | 'what'>): string => `${kind}, ${what}`;
    const held = (measured.get(name) ?? []).filter(({ outcome }) => outcome === 'held').map(nameOf);
    if (held.length > 0)
      add(name, await lieAbout(make(), (lie) => held.includes(nameOf(lie)), { isAccepted: true }));
  }
  const results = [...measured.values()].flat();
  const count = (outcome: CaseResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const counts = {
    refused: count('refused'),
    held: count('held'),
    harmless: count('harmless'),
    figuresChanged: results.filter((result) => result.outcome === 'figures changed' && !isForced(result))
      .length,
    lasting: results.filter(({ isLasting }) => isLasting).length,
    blocked: results.filter(({ isBlocked }) => isBlocked).length,
  };
  return { scenario: 'an upstream that lies', runs: results.length, counts };
}
