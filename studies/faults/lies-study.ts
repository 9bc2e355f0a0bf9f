/** The campaign of lies: every base with every lie, and its page. */
import type { FaultReport } from './fault-run.ts';
import { writeLiesPage } from './lies-page.ts';
import { type CaseResult, lieAbout, lieBelow } from './lying-upstream.ts';
import { toldReplies } from './told-replies.ts';

/** Replies in a row that a persistent lie alters. */
const PATIENCE = 5;

/** Counts of accepted real replies, including the good reply of each case, and the results of the lies. */
export async function lies(folders: readonly string[]): Promise<FaultReport> {
  const measured = new Map<string, readonly CaseResult[]>();
  for (const told of toldReplies(folders)) {
    const results = [...(await lieAbout(told)), ...(await lieBelow(told))];
    const isPatient = told.replies.length > 2 * PATIENCE;
    const ofLists = ({ kind }: { readonly kind: string }): boolean => kind.startsWith('all lists');
    measured.set(told.name, isPatient ? [...results, ...(await lieAbout(told, ofLists, PATIENCE))] : results);
    // At once: a base with a month of polls takes long.
    writeLiesPage(measured);
    for (const { kind, what, outcome, detail, afterwards } of measured.get(told.name) ?? [])
      if (outcome === 'figures changed' || afterwards !== undefined)
        console.log(
          `${told.name}: ${kind}, ${what}: ${[outcome, detail, afterwards].filter(Boolean).join('; ')}`,
        );
  }
  const results = [...measured.values()].flat();
  const count = (outcome: CaseResult['outcome']): number =>
    results.filter((result) => result.outcome === outcome).length;
  const counts = {
    refused: count('refused'),
    held: count('held'),
    harmless: count('harmless'),
    figuresChanged: count('figures changed'),
    goodRefused: results.filter(({ isGoodRefused }) => isGoodRefused).length,
  };
  return { scenario: 'an upstream that lies', runs: results.length, counts };
}
