/** A function that keeps its newest result while its arguments stay the same. */
export function memoized<A extends readonly unknown[], R>(compute: (...given: A) => R): (...given: A) => R {
  let known: { readonly given: A; readonly result: R } | undefined;
  return (...given) => {
    if (!known || known.given.some((value, i) => !Object.is(value, given[i])))
      known = { given, result: compute(...given) };
    return known.result;
  };
}
