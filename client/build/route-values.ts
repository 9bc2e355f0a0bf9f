/** Bundles for clients need some values of the routes, not their schemas. */
import type { Plugin } from 'esbuild';
import type { Route } from '../../core/contracts/route.ts';
import { OPERATION_IDS, ROUTES } from '../../core/contracts/routes.ts';

/** Leaves the preferred path of each route, and what `more` takes of it. */
export const routeValues = (more: (route: Route) => Partial<Route> = () => ({})): Plugin => ({
  name: 'route-values',
  setup({ onLoad }) {
    const routes = Object.fromEntries(
      OPERATION_IDS.map((id) => [id, { paths: ROUTES[id].paths.slice(0, 1), ...more(ROUTES[id]) }]),
    );
    onLoad({ filter: /contracts\/routes\.ts$/ }, () => ({
      contents: `export const ROUTES = ${JSON.stringify(routes)}; export const OPERATION_IDS = Object.keys(ROUTES);`,
    }));
  },
});
