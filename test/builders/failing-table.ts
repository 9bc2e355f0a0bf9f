/** A table, an archive or a store of states that fails at the n-th write, like a process that is killed there. */
import { StoreFailure } from '../../core/store/table.ts';

const WRITES = new Set(['put', 'delete', 'update', 'writeMany', 'write']);

export interface WriteMeter {
  /** Writes that have begun. */
  writes: number;
  /** The write at which the process ends; none when absent. `after`: the write still reaches the table. */
  diesAt?: number;
  after?: boolean;
  /** The name of each write that has begun: `write` is one to an archive or of a state. */
  names?: string[];
  /** Wrapped around each write that reaches the table. */
  around?: <T>(write: () => Promise<T>) => Promise<T>;
}

/** `store`, counting its writes on `meter` together with all others of the same process. */
export function metered<Store extends object>(store: Store, meter: WriteMeter): Store {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target) as unknown;
      if (typeof value !== 'function') return value;
      if (!WRITES.has(String(name))) return value.bind(target);
      return async (...args: unknown[]) => {
        if (
          name === 'writeMany' &&
          (args[0] as unknown[]).length + ((args[1] as unknown[]) ?? []).length === 0
        )
          return undefined;
        meter.writes += 1;
        meter.names?.push(String(name));
        const dead = meter.diesAt !== undefined && meter.writes >= meter.diesAt;
        const reaches = !dead || (meter.after === true && meter.writes === meter.diesAt);
        const write = (): Promise<unknown> => value.apply(target, args);
        const result: unknown = reaches ? await (meter.around?.(write) ?? write()) : undefined;
        if (dead) throw new StoreFailure('the process was killed here');
        return result;
      };
    },
  });
}
