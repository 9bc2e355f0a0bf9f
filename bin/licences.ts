/** Checks the licences of all dependencies, of production and development; part of `npm run check`. */
import { fileURLToPath } from 'node:url';
import { licenceFaults, readLockFile } from '../tools/dependencies/licences.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = readLockFile(`${root}package-lock.json`);
const faults = licenceFaults(packages);
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exit(1);
console.log(`the licences of ${packages.length - 1} packages are on the list`);
