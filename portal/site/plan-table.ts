/** The plans and their limits, from the contract. */
import { PLANS, TIERS, type Tier } from '../../core/contracts/plans.ts';
import { OPERATION_IDS, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { markdownTable } from './markdown.ts';

const SECONDS_PER_MINUTE = 60;

function endpointsOf(tier: Tier): string {
  const routes: readonly Route[] = OPERATION_IDS.map((id) => ROUTES[id]);
  const excluded = routes.filter(({ excludedPlans }) => excludedPlans?.includes(tier));
  return excluded.length === 0
    ? 'all'
    : `all but ${excluded.map(({ paths }) => `\`${paths[0]}\``).join(', ')}`;
}

export const planTable = (): string =>
  markdownTable(
    ['Plan', 'Requests a minute', 'Burst', 'Requests a month', 'Endpoints'],
    TIERS.map((tier) => [
      PLANS[tier].title,
      String(PLANS[tier].ratePerSecond * SECONDS_PER_MINUTE),
      String(PLANS[tier].burst),
      PLANS[tier].monthlyQuota.toLocaleString('en-US'),
      endpointsOf(tier),
    ]),
  );
