/** Builds the boxes of a source of positions: `npm run study -- port-boxes --source ID --calls FILE --wpi FILE`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { PORTS, type Port } from '../../core/reference/ports.ts';
import { SOURCE_DECLARATIONS } from '../../core/sources/declarations.ts';
import { command, parse, run, UsageError } from '../../local/command-line.ts';
import { readWorldPortIndex } from '../ports/port-lists.ts';
import { boxesAround, choosePorts, type ListedOverride, readPortWatch } from './choose-ports.ts';

interface Choice {
  /** Number of ports to take, by vessel calls, largest first. */
  readonly count: number;
  /** Degrees from a port to each side of its box. */
  readonly margin: number;
  /** ISO 3166-1 alpha-3 and alpha-2; all countries when absent. */
  readonly country?: readonly [string, string];
}

/** Boxes reach as far as a wait may lie from its berth: 30 nautical miles, half a degree of latitude. */
const CHOICES: Readonly<Record<string, Choice>> = {
  'open-waters-ais': { count: 150, margin: 0.5 },
  'noaa-marinecadastre-ais': { count: 60, margin: 0.5, country: ['USA', 'US'] },
  'dma-ais': { count: 40, margin: 0.5, country: ['DNK', 'DK'] },
  'kystdatahuset-ais': { count: 40, margin: 0.5, country: ['NOR', 'NO'] },
};

const OVERRIDES = new URL('./port-overrides.json', import.meta.url);

/** Ports of the reference, and those that only the World Port Index has. */
function candidates(wpi: string | undefined): readonly Port[] {
  if (wpi === undefined) return PORTS;
  const bytes = readFileSync(wpi);
  const index = readWorldPortIndex((wpi.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'));
  const known = new Set(PORTS.map(({ locode }) => locode));
  const more = [...index].flatMap(([locode, { name, position }]): Port[] =>
    known.has(locode) || position === undefined
      ? []
      : [{ locode, name, countryCode: locode.slice(0, 2), ...position }],
  );
  return [...PORTS, ...more];
}
await run(async () => {
  const sources = Object.keys(CHOICES).join(', ');
  const definition = command('npm run study -- port-boxes', 'Builds the boxes of a source of positions.')
    .requiredOption('--source <id>', sources)
    .requiredOption('--calls <file>', 'a PortWatch port database; only its order is used')
    .option('--dated <month>', 'the month of the list, as the coverage page states it; with open-waters-ais')
    .option(
      '--wpi <file>',
      'the World Port Index, for ports that the reference does not have yet: npm run study -- ports adds them',
    );
  const { source, calls, dated, wpi } = parse<
    Record<'source' | 'calls', string> & { dated?: string; wpi?: string }
  >(definition);
  const choice = CHOICES[source];
  if (choice === undefined) throw new UsageError(`--source must be one of ${sources}, not ${source}`);
  const { count, margin, country } = choice;
  if (country === undefined && dated === undefined)
    throw new UsageError(`--source ${source} needs --dated, the month of the list`);
  const others = SOURCE_DECLARATIONS.filter(({ id }) => id !== source).flatMap(({ ports }) => ports);
  const listed = readPortWatch(readFileSync(calls, 'utf8')).filter(
    (port) => country === undefined || port.country === country[0],
  );
  const reference = candidates(wpi).filter(
    (port) => country === undefined || port.countryCode === country[1],
  );
  const byLocode = new Map([...PORTS, ...reference].map((port) => [port.locode, port]));
  const overrides = JSON.parse(readFileSync(OVERRIDES, 'utf8')) as Record<string, ListedOverride>;
  const chosen = choosePorts(listed, reference, new Set(others), count, overrides);
  const known = (codes: readonly string[]) =>
    codes.map((code) => byLocode.get(code)).filter((port) => port !== undefined);
  const boxes = boxesAround(known(chosen.ports), known([...new Set([...others, ...chosen.others])]), margin);
  const area = boxes.reduce((sum, box) => sum + (box.north - box.south) * (box.east - box.west), 0);
  const target = new URL(`../../core/sources/${source}/port-boxes.json`, import.meta.url);
  writeFileSync(fileURLToPath(target), `${JSON.stringify(boxes, null, 2)}\n`);
  console.log(
    `${chosen.ports.length} ports in ${boxes.length} boxes of ${area.toFixed(1)} square degrees, ` +
      `${((100 * chosen.calls) / chosen.allCalls).toFixed(1)} % of the listed calls`,
  );
  console.log(`busy, and without a port of the reference: ${chosen.unmatched.slice(0, 30).join(', ')}`);

  if (country === undefined) {
    // Only the shares of the sources are shipped, never a count of a port.
    const share = (ports: readonly string[]): number =>
      Number(
        (
          (100 * ports.reduce((sum, port) => sum + (chosen.callsByPort.get(port) ?? 0), 0)) /
          chosen.allCalls
        ).toFixed(2),
      );
    const percent = Object.fromEntries(
      SOURCE_DECLARATIONS.filter(({ ports }) => ports.length > 0).map(({ id, ports }) => [
        id,
        share(id === source ? chosen.ports : ports),
      ]),
    );
    const shares = { dated, yearlyCalls: chosen.allCalls, percent };
    const file = new URL('../../portal/site/world-share.json', import.meta.url);
    writeFileSync(fileURLToPath(file), `${JSON.stringify(shares, null, 2)}\n`);
  }
});
