/** `npm run build:portal`: writes the portal into dist/portal. */
import { fileURLToPath } from 'node:url';
import { buildPortal } from '../site/build.ts';

await buildPortal(fileURLToPath(new URL('../dist/portal', import.meta.url)));
