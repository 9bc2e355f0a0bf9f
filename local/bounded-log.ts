/** The functions' log on one machine: a file of limited size, and the one before it. */
import { closeSync, mkdirSync, openSync, renameSync, write } from 'node:fs';
import { dirname } from 'node:path';
import { Writable } from 'node:stream';

const MAX_BYTES = 20 * 1024 * 1024;
/** Lines within this time are written together: one write per line would slow down every request. */
const GATHER_MS = 10;

/** Starts a new file at `path`; the old one, and each one that is full, moves to `path.1`. */
export function openBoundedLog(path: string, maxBytes = MAX_BYTES): Writable {
  mkdirSync(dirname(path), { recursive: true });
  const begin = (): number => {
    try {
      renameSync(path, `${path}.1`);
    } catch {
      // There is none yet.
    }
    return openSync(path, 'w', 0o600);
  };
  let file = begin();
  let size = 0;

  /** A full disk costs lines of the log, never the service. */
  const append = (lines: string, done: () => void): void => {
    const bytes = Buffer.from(lines);
    if (size > 0 && size + bytes.length > maxBytes) {
      try {
        const next = begin();
        closeSync(file);
        file = next;
      } catch {
        // The old file continues.
      }
      size = 0;
    }
    size += bytes.length;
    write(file, bytes, () => setTimeout(done, GATHER_MS));
  };
  return new Writable({
    // Lines are converted to bytes together, not one by one.
    decodeStrings: false,
    write: (line, _encoding, done) => append(String(line), done),
    writev: (lines, done) => append(lines.map(({ chunk }) => String(chunk)).join(''), done),
    final: (done) => {
      closeSync(file);
      done();
    },
  });
}
