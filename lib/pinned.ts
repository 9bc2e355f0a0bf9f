/**
 * The resources that must never be replaced: that would give the API or the portal a new address, take keys off their plans, or
 * leave data behind. Their logical ids do not follow from the tree of constructs. `test/infra/pinned.test.ts` lists them.
 */
import { CfnResource, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import type { StageConfig } from './stage-config.ts';

/** `dailyMetrics` as `DayFigures`: the form of names in templates. */
export const titled = <Id extends string>(id: Id): Capitalize<Id> =>
  (id.charAt(0).toUpperCase() + id.slice(1)) as Capitalize<Id>;

/** The one resource behind `construct`. */
export const resourceOf = (construct: Construct): CfnResource => {
  const resource = construct.node.defaultChild;
  if (resource instanceof CfnResource) return resource;
  throw new Error(`${construct.node.path} is not one resource`);
};

/** Logical id of the resource behind `construct`, for the findings that name it. */
export const logicalId = (construct: Construct): string =>
  Stack.of(construct).getLogicalId(resourceOf(construct));

/** Gives the resource behind `construct` its pinned logical id. It goes when its stack is deleted. */
export const pin = (construct: Construct, id: string): void => resourceOf(construct).overrideLogicalId(id);

/** Pins the resource and gives it the removal policy of the stage; prod deletes it only when its first creation fails. */
export function keep(construct: Construct, id: string, config: StageConfig): void {
  pin(construct, id);
  keepWithin(construct, config);
}

/** As `keep` does, for a resource that what is kept cannot be without. Its id may change: each version of it is kept. */
export const keepWithin = (construct: Construct, { removalPolicy }: StageConfig): void =>
  resourceOf(construct).applyRemovalPolicy(removalPolicy);
