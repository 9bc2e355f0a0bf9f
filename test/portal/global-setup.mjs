// Builds the portal and starts the service with it once for all tests of the portal: the sample, on a free port.
import { register } from 'tsx/esm/api';

register();

export default async function setUp() {
  const { startPortalService } = await import('./portal-service.ts');
  const { url, directory, close } = await startPortalService();
  process.env.PORTAL_URL = url;
  process.env.PORTAL_DIRECTORY = directory;
  globalThis.closePortalService = close;
}
