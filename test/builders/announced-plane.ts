/** A control plane in a data directory, announced as the local service announces its own, so that commands find it. */
import { join } from 'node:path';
import { openControlPlane } from '../../local/keys/control-plane.ts';
import { serveControlPlane } from '../../local/keys/control-plane-server.ts';
import { claimDataDirectory } from '../../local/service/data-directory.ts';

type Plans = Parameters<typeof openControlPlane>[1];
interface Store {
  readonly endpoint: string;
  readonly tables: { readonly apiKeys: { readonly name: string } };
}

export async function announcePlane(dataDir: string, plans: Plans, store: Store, stage: string) {
  const plane = openControlPlane(join(dataDir, 'control-plane.json'), plans, Date.now);
  const server = await serveControlPlane(plane);
  const directory = claimDataDirectory(dataDir);
  directory.announce({
    url: 'http://127.0.0.1:3000',
    controlPlane: server.endpoint,
    store: store.endpoint,
    releases: join(dataDir, 'releases'),
    keysTable: store.tables.apiKeys.name,
    stage,
    apiId: 'api',
    clockOffsetMs: 0,
  });
  return { server, directory };
}
