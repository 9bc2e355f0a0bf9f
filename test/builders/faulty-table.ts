/** A table whose calls fail as planned: refused, done without a response, done in part, or stalled. */
import { type Key, type Row, StoreFailure, type Table } from '../../core/store/table.ts';

/**
 * `refused`: nothing was done. `unanswered`: it was done, and the response was lost. `cut-short`: a batch was done in
 * part; another call is refused. `stalled`: neither happens nor ends.
 */
export type TableFault = 'refused' | 'unanswered' | 'cut-short' | 'stalled';

interface TableCall {
  readonly table: string;
  readonly operation: string;
}

/** Called before each call, in order; undefined lets it pass. May wait, like a slow store. */
export type FaultPlan = (call: TableCall) => TableFault | undefined | Promise<TableFault | undefined>;

const CALLS = new Set(['get', 'query', 'scan', 'put', 'delete', 'update', 'getMany', 'writeMany']);

type Call = (...args: unknown[]) => Promise<unknown>;

/** The first half of a batch, as when a process ends between two of its requests. */
async function halfOf(table: Table, puts: readonly Row[], deletes: readonly Key[] = []): Promise<void> {
  const whole = puts.length + deletes.length;
  const written = Math.floor(whole / 2);
  if (written > 0)
    await table.writeMany(puts.slice(0, written), deletes.slice(0, Math.max(0, written - puts.length)));
}

/** `table` under the plan, known to it as `name`. A write of nothing makes no call. */
export function faultyTable(table: Table, name: string, plan: FaultPlan): Table {
  return new Proxy(table, {
    get(target, property, receiver) {
      const value = Reflect.get(target, property, receiver) as unknown;
      const operation = String(property);
      if (typeof value !== 'function' || !CALLS.has(operation)) return value;
      return async (...args: unknown[]) => {
        const call = (): Promise<unknown> => (value as Call).apply(target, args);
        if (operation === 'writeMany' && args.flat().length === 0) return call();
        const fault = await plan({ table: name, operation });
        if (fault === undefined) return call();
        if (fault === 'stalled') return new Promise(() => {});
        if (fault === 'unanswered') await call();
        if (fault === 'cut-short' && operation === 'writeMany')
          await halfOf(target, args[0] as readonly Row[], args[1] as readonly Key[]);
        throw new StoreFailure(`${name} failed: ${operation} ${fault}`);
      };
    },
  });
}
