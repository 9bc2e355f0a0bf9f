/**
 * Since when the values of a subject are known, one row a port or an HS code in `vintages`: `series` = `begin`, `#`,
 * kind of the subject, `at` = subject, and the versions of the methodology that made its values, oldest first.
 */
import * as z from 'zod/mini';
import type { Day } from '../reference/time.ts';
import { parseRow, type Row, type Table } from './table.ts';

const METHOD = z.object({ since: z.string(), version: z.string() });

/** A version of the methodology, and the UTC day since which values that it made are known. */
type MethodSince = Readonly<z.output<typeof METHOD>>;

const BEGINNING = z.object({ at: z.string(), methods: z.tuple([METHOD], METHOD) });

export interface Beginning {
  /** The first UTC day since which anything of the subject is known. */
  readonly day: Day;
  readonly methods: readonly MethodSince[];
}

/** The version of the values known since `day`; undefined where none was recorded. */
export const methodologyOn = ({ methods }: Beginning, day: Day): string | undefined =>
  methods.findLast(({ since }) => since <= day)?.version;

export function createBeginnings(vintages: Table, subjects: 'ports' | 'imports') {
  const series = `begin#${subjects}`;

  const parsed = (row: Row): [subject: string, Beginning] => {
    const { at, methods } = parseRow(vintages, BEGINNING, row);
    return [at, { day: methods[0].since, methods }];
  };

  /** The beginnings of all subjects of the kind. */
  async function all(): Promise<ReadonlyMap<string, Beginning>> {
    return new Map((await vintages.query(series)).map(parsed));
  }

  return {
    all,
    /** The first UTC day since which anything of the subject, or without one of any subject, is known. Undefined before it. */
    async day(subject?: string): Promise<Day | undefined> {
      if (subject === undefined) return [...(await all()).values()].map(({ day }) => day).sort()[0];
      const row = await vintages.get({ series, at: subject });
      return row && parsed(row)[1].day;
    },
    /** Records that a version makes the values of a subject from a day on. Repeating it changes nothing. */
    async note(subject: string, method: MethodSince): Promise<void> {
      const row = await vintages.get({ series, at: subject }, true);
      const methods = row === undefined ? [] : parsed(row)[1].methods;
      if (methods.at(-1)?.version === method.version) return;
      await vintages.put({ series, at: subject, methods: [...methods, method] });
    },
  };
}
