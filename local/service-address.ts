/**
 * Where the running service is: a file in its data directory, by which the key command finds its control plane and
 * its key table. It names loopback addresses only, and no secret.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readKeptFile, writeKeptFile } from './kept-file.ts';

const address = z.object({
  pid: z.number().int().positive(),
  /** The API itself. */
  url: z.url(),
  /** For `AWS_ENDPOINT_URL_API_GATEWAY`. */
  controlPlane: z.url(),
  /** For `AWS_ENDPOINT_URL_DYNAMODB`. */
  store: z.url(),
  /** Name of the key table in that store. */
  keysTable: z.string().min(1),
  stage: z.string().min(1),
});
export type ServiceAddress = Readonly<z.output<typeof address>>;

const fileIn = (dataDir: string): string => join(dataDir, 'service.json');

/** Called once the service answers. */
export const announceService = (dataDir: string, found: ServiceAddress): void =>
  writeKeptFile(fileIn(dataDir), found);

/** Called when the service stops. */
export const withdrawService = (dataDir: string): void => rmSync(fileIn(dataDir), { force: true });

/** Undefined when no service runs on `dataDir`, one that was killed included. Throws `StartFault` at a corrupt file. */
export function findService(dataDir: string): ServiceAddress | undefined {
  const found = readKeptFile(fileIn(dataDir), address);
  if (found === undefined) return undefined;
  try {
    process.kill(found.pid, 0);
    return found;
  } catch (thrown) {
    // It runs, under another user.
    return (thrown as NodeJS.ErrnoException).code === 'EPERM' ? found : undefined;
  }
}
