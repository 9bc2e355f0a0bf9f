/** `npm run sbom`: writes the bill of materials to dist/sbom.json, in CycloneDX format. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { billOfMaterials } from './dependencies/bill-of-materials.ts';
import { readLockFile } from './dependencies/lock-file.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const packages = readLockFile(`${root}package-lock.json`);
mkdirSync(`${root}dist`, { recursive: true });
writeFileSync(`${root}dist/sbom.json`, `${JSON.stringify(billOfMaterials(packages), undefined, 2)}\n`);
console.log(`wrote dist/sbom.json: ${packages.length - 1} packages`);
