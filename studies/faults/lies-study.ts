/** The campaign of lies: every base with every lie, and its page. */
import type { FaultReport } from '../../test/faults/fault-run.ts';
import type { Lie } from '../../test/faults/lies.ts';
import { type CaseResult, lieAbout, lieBelow } from '../../test/faults/lying-upstream.ts';
import { replyBases } from '../../test/faults/reply-bases.ts';
import { writeLiesPage } from './lies-page.ts';

/** Replies in a row that a persistent lie alters. */
const PATIENCE = 5;

/** Counts of accepted real replies, including the good reply of each case, and the results of the lies. */
export async function lies(folders: readonly string[]): Promise<FaultReport> {
  const measured = new Map<string, readonly CaseResult[]>();
  for (const { make } of replyBases(folders)) {
    const base = make();
    const results = [...(await lieAbout(base)), ...(await lieBelow(base))];
    const isPatient = base.replies.length > 2 * PATIENCE;
    const aboutLists = ({ kind }: Lie): boolean => kind.startsWith('all lists');
    if (isPatient) results.push(...(await lieAbout(base, aboutLists, { patience: PATIENCE })));
    const isHeld = new Set(
      results.filter(({ outcome }) => outcome === 'held').map(({ kind, what }) => `${kind}, ${what}`),
    );
    const wasHeld = ({ kind, what }: Lie): boolean => isHeld.has(`${kind}, ${what}`);
    if (isHeld.size > 0) results.push(...(await lieAbout(base, wasHeld, { isAccepted: true })));
    measured.set(base.name, results);
    // At once: a base with a month of polls takes long.
    writeLiesPage(measured);
    for (const { kind, what, outcome, detail, afterwards } of measured.get(base.name) ?? [])
      if ((outcome === 'figures changed' && !/, accepted$/.test(kind)) || afterwards !== undefined)
        console.log(
          `${base.name}: ${kind}, ${what}: ${[outcome, detail, afterwards].filter(Boolean).join('; ')}`,
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
    lasting: results.filter(({ isLasting }) => isLasting).length,
    blocked: results.filter(({ isBlocked }) => isBlocked).length,
  };
  return { scenario: 'an upstream that lies', runs: results.length, counts };
}
