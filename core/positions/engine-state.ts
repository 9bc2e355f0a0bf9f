/** An engine's vessels as text and back: a JSON object a line, vessels by MMSI and fields in the order of the schema, so that equal states are equal bytes. */
import { type Vessel, vesselShape } from './engine.ts';

/** Increased with every change of the engine that gives other stays or another state for the same fixes. */
const ENGINE_VERSION = 7;

/** The state cannot be used: damaged, or of another engine. The message says what to do. */
export class UnusableState extends Error {
  override readonly name = 'UnusableState';
}

/** One line a vessel, after one that says how many there are. */
export function writeState(vessels: ReadonlyMap<number, Vessel>): string {
  const lines = [...vessels.values()]
    .sort((a, b) => a.mmsi - b.mmsi)
    .map((vessel) => JSON.stringify(vesselShape.parse(vessel)));
  return `${[JSON.stringify({ engine: ENGINE_VERSION, vessels: lines.length }), ...lines].join('\n')}\n`;
}

function readVessel(line: string): Vessel {
  const { data, error } = vesselShape.safeParse(JSON.parse(line));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new UnusableState(`a vessel's ${issue?.path.join('.')}: ${issue?.message}`);
}

/** The vessels of a written state. Throws `UnusableState` when it is cut short, damaged, or of another engine. */
export function readState(text: string): Map<number, Vessel> {
  const [head = '', ...lines] = text.split('\n');
  try {
    const { engine, vessels } = JSON.parse(head) as { engine?: unknown; vessels?: unknown };
    if (engine !== ENGINE_VERSION)
      throw new UnusableState(
        `the state is of engine ${String(engine)}, this is engine ${ENGINE_VERSION}: delete it, and positions are read again from the archive`,
      );
    if (lines.length !== Number(vessels) + 1 || lines.at(-1) !== '')
      throw new UnusableState(`${lines.length - 1} of ${String(vessels)} vessels`);
    return new Map(
      lines
        .slice(0, -1)
        .map(readVessel)
        .map((vessel) => [vessel.mmsi, vessel]),
    );
  } catch (error) {
    if (error instanceof UnusableState) throw error;
    throw new UnusableState('the state does not parse', { cause: error });
  }
}
