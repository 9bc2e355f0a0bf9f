/** A rule looks at all resources of a stage and names those that break it. */
import type { Resource } from '../../builders/stacks.ts';

export type Rule = (resources: readonly Resource[], stage: 'dev' | 'prod') => string[];

/** The resources for which `isMet` is false, as `stack/id: reason`. */
export const unless = (
  resources: readonly Resource[],
  reason: string,
  isMet: (resource: Resource) => boolean,
): string[] =>
  resources.filter((resource) => !isMet(resource)).map(({ stack, id }) => `${stack}/${id}: ${reason}`);
