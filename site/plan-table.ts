/** The plans and their limits, from the contract. */
import { PLANS, type Plan } from '../core/contracts/plans.ts';
import { OPERATION_IDS, ROUTES } from '../core/contracts/routes.ts';
import { markdownTable } from './markdown-table.ts';

const SECONDS_PER_MINUTE = 60;

function lacks({ operations }: Plan): string {
  const missing = OPERATION_IDS.filter((id) => ROUTES[id].authenticated && !operations.includes(id));
  return missing.length === 0
    ? 'all'
    : `all but ${missing.map((id) => `\`${ROUTES[id].paths[0]}\``).join(', ')}`;
}

export const planTable = (): string =>
  markdownTable(
    ['Plan', 'Requests a minute', 'Burst', 'Requests a month', 'Endpoints'],
    Object.values(PLANS).map((plan: Plan) => [
      plan.title,
      String(plan.ratePerSecond * SECONDS_PER_MINUTE),
      String(plan.burst),
      plan.monthlyQuota.toLocaleString('en-US'),
      lacks(plan),
    ]),
  );
