/** Bundles for browsers and for users of the client need some values of the routes, not their schemas. */
import type { Plugin } from 'esbuild';
import type { Route } from '../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../core/contracts/routes.ts';

/** Leaves of each route its preferred path, whether it needs a key, and the plans that lack it. */
export const routeValues: Plugin = {
  name: 'route-values',
  setup({ onLoad }) {
    const routes = Object.fromEntries(
      OPERATION_IDS.map((id) => {
        const { paths, authenticated, excludedPlans }: Route = ROUTES[id];
        return [id, { paths: paths.slice(0, 1), authenticated, excludedPlans }];
      }),
    );
    onLoad({ filter: /contracts\/routes\.ts$/ }, () => ({
      contents: `export const ROUTES = ${JSON.stringify(routes)}; export const OPERATION_IDS = Object.keys(ROUTES);`,
    }));
  },
};
