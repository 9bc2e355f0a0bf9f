/** Which plans have an endpoint, for a reader whose key does not. */
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import type { Route } from '../../core/contracts/route.ts';
import { type OperationId, ROUTES } from '../../core/contracts/routes.ts';

const list = new Intl.ListFormat('en-GB');

/** `what` names the data, as in "Waits day by day". */
export function planText(what: string, operation: OperationId): string {
  const { excludedPlans = [] } = ROUTES[operation] as Pick<Route, 'excludedPlans'>;
  const titles = TIERS.filter((tier: Tier) => !excludedPlans.includes(tier)).map((tier) => PLANS[tier].title);
  return `${what} come with the plans ${list.format(titles)}; the plan of this key does not have them.`;
}
