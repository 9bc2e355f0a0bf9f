/** Tables of calls as a source: a person gives the files, so nothing is fetched, watched or judged. */
import * as z from 'zod/mini';
import { isLocode } from '../../reference/codes.ts';
import type { SourceDeclaration } from '../../upstream/source.ts';

export const callTablesDeclaration: SourceDeclaration = {
  id: 'call-tables',
  name: 'Tables of calls',
  publisher: 'Each table names its own',
  licence: 'Each table states its own',
  attribution: 'Each table states its own',
  // Never due and never stale.
  everyMinutes: 0,
  freshnessBudgetMinutes: 0,
  kind: 'events',
  ports: [],
  hosts: [],
  maxReplyBytes: 0,
  maxRows: 0,
  fields: [],
};

/** The span that a table covers at a port, and how many stays it has there: a table that an earlier version accepted does not state it. */
const PORT_OF_TABLE = z.object({ fromAt: z.number(), toAt: z.number(), stays: z.optional(z.number()) });

/** What is stored beside a table. */
export const TABLE_ABOUT = z.object({
  /** Names the table: one of the same name replaces it. */
  name: z.string(),
  publisher: z.optional(z.string()),
  licence: z.optional(z.string()),
  attribution: z.optional(z.string()),
  /** Single calls may be passed on: in the dataset, and as `dwell` of a deployed stage. */
  passesOnCalls: z.boolean(),
  timeZone: z.optional(z.string()),
  /** Rows that could not be read were left out. */
  leftOut: z.boolean(),
  /** Applied as if the table had been read at the end of each day. */
  asPolls: z.optional(z.literal('daily')),
  ports: z.record(z.string().check(z.refine(isLocode)), PORT_OF_TABLE),
});
export type TableAbout = Readonly<z.infer<typeof TABLE_ABOUT>>;

/** Names of the files of a table in the archive; of one that was removed `ABOUT_FILE` alone, with its name. */
export const TABLE_FILE = 'table.csv';
export const ABOUT_FILE = 'about.json';
export const TABLE_REMOVED = z.object({ removed: z.string() });
