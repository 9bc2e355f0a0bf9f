/** Builds the boxes of open-waters-ais: `npm run build-ais-ports -- --calls FILE [--count N]`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findPort, PORTS } from '../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../core/sources/declarations.ts';
import { boxesAround, choosePorts, type ListedOverride, readPortWatch } from './ais-ports/choose-ports.ts';

const ID = 'open-waters-ais';
const TARGET = fileURLToPath(new URL(`../core/sources/${ID}/port-boxes.json`, import.meta.url));

const OVERRIDES = new URL('./ais-ports/port-overrides.json', import.meta.url);

const { values } = parseArgs({
  options: {
    /** A PortWatch port database; only its order is used. */
    calls: { type: 'string' },
    count: { type: 'string', default: '100' },
  },
});
if (values.calls === undefined || !/^[1-9]\d*$/.test(values.count)) {
  console.error('usage: npm run build-ais-ports -- --calls FILE [--count N]');
  process.exit(2);
}
const others = SOURCE_DECLARATIONS.filter(({ id }) => id !== ID).flatMap(({ ports }) => ports);
const listed = readPortWatch(readFileSync(values.calls, 'utf8'));
const overrides = JSON.parse(readFileSync(OVERRIDES, 'utf8')) as Record<string, ListedOverride>;
const chosen = choosePorts(listed, PORTS, new Set(others), Number(values.count), overrides);
const known = (codes: readonly string[]) => codes.map(findPort).filter((port) => port !== undefined);
const boxes = boxesAround(known(chosen.ports), known(others));
const area = boxes.reduce((sum, box) => sum + (box.north - box.south) * (box.east - box.west), 0);
writeFileSync(TARGET, `${JSON.stringify(boxes, null, 2)}\n`);
console.log(
  `${chosen.ports.length} ports in ${boxes.length} boxes of ${area.toFixed(1)} square degrees, ` +
    `${((100 * chosen.calls) / chosen.allCalls).toFixed(1)} % of the listed calls`,
);
console.log(`busy, and without a port of the reference: ${chosen.unmatched.slice(0, 30).join(', ')}`);
