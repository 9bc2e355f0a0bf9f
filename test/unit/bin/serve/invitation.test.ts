/** The last lines of a start: what they cannot tell of. */
import { expect, it } from '@jest/globals';
import { invitation } from '../../../../bin/serve/invitation.ts';
import type { DemoKeys } from '../../../../local/keys/demo-keys.ts';
import { StartFault } from '../../../../local/start-fault.ts';

const keys = { bench: 'pcd_dev_bench00000000000000000000000000000' } as DemoKeys;

it('is a clear line on a port that browsers refuse', async () => {
  const refused = invitation({ url: 'http://127.0.0.1:6000', keys }, []);
  await expect(refused).rejects.toThrow(StartFault);
  await expect(refused).rejects.toThrow(
    'port 6000 is one that browsers refuse to ask: choose another with --port',
  );
});
