/** A terminal: its berths and their one queue, first come, first served. */

/** A vessel that asks for a berth. */
export interface Terminal<Vessel> {
  /** Joins the end of the queue. */
  join(vessel: Vessel): void;
  /** The head of the queue and the berth that it gets now; undefined while no vessel waits or no berth works. */
  admit(berthsAtWork: number): { readonly vessel: Vessel; readonly berth: string } | undefined;
  /** The vessel at `berth` has left it. */
  release(berth: string): void;
}

/**
 * `berths` in the order in which they are first filled. Of the free berths the one that has been empty longest is
 * assigned; when fewer berths work than are occupied, no vessel has to leave and none is admitted.
 */
export function createTerminal<Vessel>(berths: readonly string[]): Terminal<Vessel> {
  const free = [...berths];
  const queue: Vessel[] = [];
  return {
    join: (vessel) => {
      queue.push(vessel);
    },
    admit: (berthsAtWork) => {
      const taken = berths.length - free.length;
      const [vessel, berth] = [queue[0], free[0]];
      if (vessel === undefined || berth === undefined || taken >= berthsAtWork) return undefined;
      queue.shift();
      free.shift();
      return { vessel, berth };
    },
    release: (berth) => {
      free.push(berth);
    },
  };
}
