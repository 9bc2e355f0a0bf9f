/** Builds core/reference/ports.json from the published port lists: `npm run study -- ports --wpi FILE --unlocode FILE --ssn FILE`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Locode } from '../../core/reference/codes.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { command, parse, run, StartError } from '../../local/command-line.ts';
import {
  type PortList,
  readPortAreas,
  readSafeSeaNet,
  readSeaPorts,
  readUnlocode,
  readWorldPortIndex,
} from './port-lists.ts';
import { mergePorts, type PortOverride } from './port-merge.ts';

const TARGET = fileURLToPath(new URL('../../core/reference/ports.json', import.meta.url));
const OVERRIDES = new URL('./port-overrides.json', import.meta.url);
/** Ports in the documentation's examples, whether or not a source covers them. */
const NAMED: readonly Locode[] = ['USLAX', 'USLGB', 'SGSIN', 'NLRTM', 'HKHKG'];
const MAJOR_SIZES = new Set(['Large', 'Medium']);

function toText(path: string): string {
  const bytes = readFileSync(path);
  return (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
}

await run(async () => {
  const definition = command(
    'npm run study -- ports',
    'Builds core/reference/ports.json from the published port lists, which may be gzipped.',
  )
    .requiredOption('--wpi <file>', 'the World Port Index')
    .requiredOption('--unlocode <file>', 'UN/LOCODE')
    .requiredOption('--ssn <file>', 'the locations of SafeSeaNet')
    .option('--areas <file>', "Fintraffic's port areas");
  const { wpi, unlocode, ssn, areas } = parse<
    Record<'wpi' | 'unlocode' | 'ssn', string> & { areas?: string }
  >(definition);
  const none: PortList = new Map();
  const lists = {
    worldPortIndex: readWorldPortIndex(toText(wpi)),
    unlocode: readUnlocode(toText(unlocode)),
    safeSeaNet: readSafeSeaNet(toText(ssn)),
    portAreas: areas === undefined ? none : readPortAreas(toText(areas)),
    seaPorts: readSeaPorts(createRequire(import.meta.url)('sea-ports/lib/ports.json')),
  };
  const overrides = JSON.parse(readFileSync(OVERRIDES, 'utf8')) as Record<Locode, PortOverride>;
  const major = [...lists.worldPortIndex]
    .filter(([, { size }]) => MAJOR_SIZES.has(size ?? ''))
    .map(([code]) => code);
  const covered = SOURCE_DECLARATIONS.flatMap((declaration) => declaration.ports);
  /** Ports beside covered ones, so that their berths do not count for these. */
  const beside = SOURCE_DECLARATIONS.flatMap(({ boxes = [] }) =>
    boxes.flatMap(({ neighbours }) => neighbours),
  );
  const wanted = [...NAMED, ...Object.keys(overrides), ...covered, ...beside, ...major];

  const { ports, doubts } = mergePorts(wanted, lists, overrides);
  for (const doubt of doubts) console.warn(doubt);
  const missing = covered.filter((locode) => !ports.some((port) => port.locode === locode));
  if (missing.length > 0)
    throw new StartError(`covered ports without a row, so nothing was written: ${missing.join(' ')}`);
  writeFileSync(TARGET, `${JSON.stringify(ports, null, 2)}\n`);
  console.log(`${ports.length} ports written, ${doubts.length} doubts`);
});
