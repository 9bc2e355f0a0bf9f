/** The sources of a deployment, each from the `source.ts` of the folder that its declaration names. Only these are fetched. */
import type { Source, SourceDeclaration } from '../upstream/source.ts';
import { excludedFeedsIn, SOURCE_DECLARATIONS } from './declarations.ts';

async function loadDeclared({ id }: SourceDeclaration): Promise<Source> {
  const { source } = (await import(`./${id}/source.ts`)) as { readonly source: Source };
  return source;
}

/** The deployed source of that id; undefined when there is none. */
export async function loadSource(id: string): Promise<Source | undefined> {
  const declared = SOURCE_DECLARATIONS.find((declaration) => declaration.id === id);
  return declared && (await loadDeclared(declared));
}

/** The deployed sources in the order of their declarations, or those of the given ids. */
export const loadSources = (ids?: readonly string[]): Promise<readonly Source[]> =>
  Promise.all(SOURCE_DECLARATIONS.filter(({ id }) => ids?.includes(id) ?? true).map(loadDeclared));

/** The same without the feeds that the environment excludes. Throws for a feed that no source has. */
export async function sourcesFor(
  variables: Readonly<Record<string, string | undefined>>,
  ids?: readonly string[],
): Promise<readonly Source[]> {
  const excluded = excludedFeedsIn(variables);
  const sources = await loadSources(ids);
  return excluded.length === 0 ? sources : sources.map((source) => source.without?.(excluded) ?? source);
}
