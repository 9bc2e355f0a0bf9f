import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DAY_MS } from '../../../core/reference/time.ts';
import { parseReports } from '../../../core/sources/hk-marine-department/parse.ts';
import { RefusedReply } from '../../../core/sources/source.ts';
import { hkFetchAt, hkVisits } from '../../builders/hk-polls.ts';

const startAt = Date.UTC(2026, 0, 5);
const fetched = hkFetchAt(hkVisits({ seed: 3, startAt, days: 1, arrivalsPerDay: 4 }), startAt + DAY_MS / 2);

interface Mutation {
  readonly kind: string;
  readonly from: number;
  readonly length: number;
  readonly byte: number;
}

/** A cut, a byte overwritten, or a piece repeated. */
const mutation = fc.record({
  file: fc.constantFrom(...fetched.files.keys()),
  kind: fc.constantFrom('cut', 'overwrite', 'repeat', 'drop'),
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 400 }),
  byte: fc.integer({ min: 0, max: 255 }),
});

function mutated(bytes: Uint8Array, { kind, from, length, byte }: Mutation): Uint8Array {
  const start = Math.floor(from * bytes.length);
  const [head, piece, tail] = [
    bytes.slice(0, start),
    bytes.slice(start, start + length),
    bytes.slice(start + length),
  ];
  if (kind === 'cut') return head;
  if (kind === 'drop') return Buffer.concat([head, tail]);
  if (kind === 'repeat') return Buffer.concat([head, piece, piece, tail]);
  return Buffer.concat([head, Uint8Array.of(byte), bytes.slice(start + 1)]);
}

it('any damaged report is refused or gives a poll of plausible rows', () => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
      const files = new Map(fetched.files);
      for (const one of mutations) files.set(one.file, mutated(files.get(one.file) ?? new Uint8Array(), one));
      try {
        const { reports, refusals } = parseReports({ ...fetched, files });
        for (const { reason, detail } of refusals) {
          expect(reason).toMatch(/^[a-z-]+$/);
          expect(detail).not.toMatch(/[\r\n]/);
        }
        for (const report of reports) {
          if (report.kind !== 'poll') throw new Error('not a poll');
          for (const row of [...(report.inPort ?? []), ...(report.arrived ?? [])]) {
            expect(row.vesselId).toMatch(/^[A-Z0-9]/);
            expect(row.ataAt).toBeGreaterThanOrEqual(0);
            expect(row.ataAt).toBeLessThanOrEqual(fetched.fetchedAt + DAY_MS);
            expect(['anchorage', 'berth', 'moving']).toContain(row.zone);
          }
        }
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedReply);
      }
    }),
    { numRuns: 400, seed: 20260105 },
  );
});
