/** All that `npm run study -- mutation` takes from Stryker's packages, which it installs in this folder on first use. */

/** Identifies a mutant by its place and its replacement, the same in every checkout. */
export const keyOf = ({ fileName, location: { start, end }, mutatorName, replacement }) =>
  [
    fileName.slice(fileName.lastIndexOf('/core/')),
    start.line,
    start.column,
    end.line,
    end.column,
    mutatorName,
    replacement,
  ].join(':');

const silent = new Proxy({}, { get: () => () => false });

export async function findMutants(files) {
  const { Instrumenter } = await import('@stryker-mutator/instrumenter');
  const sources = files.map(({ name, content }) => ({ name, content, mutate: true }));
  const options = { ignorers: [], plugins: null, excludedMutations: [] };
  return (await new Instrumenter(silent).instrument(sources, options)).mutants;
}

export async function runMutants(options) {
  const { Stryker } = await import('@stryker-mutator/core');
  const results = await new Stryker(options).runMutationTest();
  // A result counts lines and columns from 1, a mutant from 0.
  const back = ({ line, column }) => ({ line: line - 1, column: column - 1 });
  return results.map(({ location: { start, end }, ...result }) => ({
    ...result,
    location: { start: back(start), end: back(end) },
  }));
}
