/** Bundles for clients need the paths of the routes, not their schemas. */
import type { Plugin } from 'esbuild';
import { OPERATION_IDS, ROUTES } from '../../core/contracts/routes.ts';

export const routePaths: Plugin = {
  name: 'route-paths',
  setup({ onLoad }) {
    const routes = Object.fromEntries(
      OPERATION_IDS.map((id) => [id, { paths: ROUTES[id].paths.slice(0, 1) }]),
    );
    onLoad({ filter: /contracts\/routes\.ts$/ }, () => ({
      contents: `export const ROUTES = ${JSON.stringify(routes)}; export const OPERATION_IDS = Object.keys(ROUTES);`,
    }));
  },
};
