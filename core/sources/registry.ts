/** The sources of a deployment, each from the `source.ts` of the folder that its declaration names. Only these are fetched. */
import type { Source } from '../upstream/source.ts';
import { excludedFeedsIn, SOURCE_DECLARATIONS } from './declarations.ts';

/** The deployed source of that id; undefined when there is none. */
export async function loadSource(id: string): Promise<Source | undefined> {
  if (!SOURCE_DECLARATIONS.some((declaration) => declaration.id === id)) return undefined;
  const { source } = (await import(`./${id}/source.ts`)) as { readonly source: Source };
  return source;
}

/** The deployed sources, in the order of their declarations. */
export const loadSources = async (): Promise<readonly Source[]> =>
  (await Promise.all(SOURCE_DECLARATIONS.map(({ id }) => loadSource(id)))).filter(
    (source) => source !== undefined,
  );

/** The deployed sources without the feeds that the environment excludes. Throws for a feed that no source has. */
export async function sourcesFor(
  variables: Readonly<Record<string, string | undefined>>,
): Promise<readonly Source[]> {
  const excluded = excludedFeedsIn(variables);
  const sources = await loadSources();
  return excluded.length === 0 ? sources : sources.map((source) => source.without?.(excluded) ?? source);
}
