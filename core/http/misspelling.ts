/** Names of parameters that are almost right. */

/** Number of characters that both texts begin with. */
function sharedStart(a: readonly string[], b: readonly string[]): number {
  const end = a.findIndex((character, i) => character !== b[i]);
  return end === -1 ? a.length : end;
}

/** Without case and separators: `asOf` and `as-of` are `as_of`. */
const plain = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/**
 * Whether `sent`, which is not `known`, differs from it by case and separators only or by one edit: a character that is inserted, left
 * out, replaced, or exchanged with its neighbour. (Levenshtein's distance counts an exchange as two edits.)
 */
export function isMisspelling(sent: string, known: string): boolean {
  if (plain(sent) === plain(known)) return true;
  const [a, b] = [[...sent], [...known]];
  const start = sharedStart(a, b);
  const [restA, restB] = [a.slice(start), b.slice(start)];
  // One edit lies between the common start and the common end of the two.
  const end = sharedStart(restA.toReversed(), restB.toReversed());
  const [editA, editB] = [restA, restB].map((rest) => rest.slice(0, rest.length - end)) as [
    string[],
    string[],
  ];
  if (editA.length <= 1 && editB.length <= 1) return true;
  return editA.length === 2 && editA.toReversed().join('') === editB.join('');
}
