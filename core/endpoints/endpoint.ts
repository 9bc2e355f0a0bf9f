/** An endpoint: its route, the tables that it reads and what it does, in one entry. */
import type { Route } from '../contracts/route.ts';
import type { RequestHandler } from '../http/chain.ts';
import type { Clock } from '../reference/time.ts';
import type { Table } from '../store/table.ts';
import type { TableId } from '../store/tables.ts';

/** What a function has in addition to its tables. */
interface EndpointContext {
  readonly now: Clock;
  /** AWS region, `local` on one machine. */
  readonly region: string;
  /** The data are replayed from recorded replies: this deployment has fetched none of them. */
  readonly replays?: boolean;
}

export interface Endpoint<R extends Route = Route, I extends TableId = TableId> {
  readonly route: R;
  /** Tables and how they are read: by key, or as a whole, for tables that stay small. */
  readonly tables: { readonly [T in I]?: 'read' | 'scan' };
  /** Memory of the function in MB; processor time is given in proportion. */
  readonly memoryMb: number;
  /** Called once when a function is loaded; the returned function is called for every request. */
  create(tables: Readonly<Record<I, Table>>, context: EndpointContext): RequestHandler<R>;
}

/** Types an entry from its route and tables. */
export const endpoint = <R extends Route, I extends TableId>(entry: Endpoint<R, I>): Endpoint<R, I> => entry;

/** Folder of the built function of an operation: `hs-imports` for `hsImports`. */
export const folderOf = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
