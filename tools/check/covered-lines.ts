/** The share of lines that tests run, by room, beside the share that each room began with. */

/** `coverage-summary.json` of Jest: counts by absolute path of a file, and `total`. */
type Summary = Readonly<
  Record<string, { readonly lines: { readonly total: number; readonly covered: number } }>
>;

export interface RoomLines {
  /** Folder of the room. */
  readonly room: string;
  readonly lines: number;
  /** Percent of its lines that ran, 1 decimal, rounded down. */
  readonly covered: number;
  /** Percent that it may not fall below; undefined for a room that `first` lacks. */
  readonly first: number | undefined;
}

/** Folders that are rooms in themselves; those within them are rooms too. */
const DIVIDED = ['core', 'packages'];

function roomOf(path: string): string {
  const [folder = '', inner = ''] = path.split('/');
  return DIVIDED.includes(folder) ? `${folder}/${inner}` : folder;
}

/** The rooms of a summary of the files below `root`, which ends in a slash, by name. */
export function linesByRoom(
  summary: Summary,
  first: Readonly<Record<string, number>>,
  root: string,
): RoomLines[] {
  const rooms = new Map<string, { total: number; covered: number }>();
  for (const [path, { lines }] of Object.entries(summary)) {
    if (!path.startsWith(root)) continue;
    const room = roomOf(path.slice(root.length));
    const { total, covered } = rooms.get(room) ?? { total: 0, covered: 0 };
    rooms.set(room, { total: total + lines.total, covered: covered + lines.covered });
  }
  return [...rooms]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([room, { total, covered }]) => ({
      room,
      lines: total,
      covered: total === 0 ? 100 : Math.floor((1000 * covered) / total) / 10,
      first: first[room],
    }));
}

/** All rooms together, as a row of the table. */
export function totalOf(rooms: readonly RoomLines[]): RoomLines {
  const lines = rooms.reduce((sum, room) => sum + room.lines, 0);
  const covered = rooms.reduce((sum, room) => sum + (room.lines * room.covered) / 100, 0);
  return {
    room: 'all',
    lines,
    covered: lines === 0 ? 100 : Math.floor((1000 * covered) / lines) / 10,
    first: undefined,
  };
}

/** What is wrong, a sentence a room: a fall below its first share, or a room without one. */
export function coverageFaults(
  rooms: readonly RoomLines[],
  first: Readonly<Record<string, number>>,
): string[] {
  const gone = Object.keys(first).filter((name) => !rooms.some(({ room }) => room === name));
  return [
    ...rooms.flatMap(({ room, covered, first }) => {
      if (first === undefined) return [`${room} has no first share: add ${Math.floor(covered)}`];
      return covered < first ? [`${room} fell to ${covered} % of its lines, below ${first} %`] : [];
    }),
    ...gone.map((room) => `${room} has a first share and no file: remove it`),
  ];
}
