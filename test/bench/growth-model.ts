/** Simulates one pass over many ports: four ports at a time share one processor, and each waits for the store by itself. */

export interface PassCost {
  /** Processor time of one port in one pass, in milliseconds. */
  readonly cpuMsPerPort: number;
  /** Requests to the store for one port in one pass, one after the other. */
  readonly callsPerPort: number;
}

export interface PassConditions {
  /** Processors' worth that the function has. */
  readonly processorShare: number;
  /** Time of one request to the store, in milliseconds. */
  readonly storeMs: number;
  /** Ports that are written at a time: `PARALLEL_PORTS` of the ingest. */
  readonly width: number;
}

interface Worker {
  /** When it needs the processor next, or is done. */
  readyAt: number;
  /** Slices of work left of its port; after each but the last it waits for the store. */
  slices: number;
}

/** Milliseconds of one pass over `ports` ports. Calls of a port are spread evenly: a fraction of a call is a port that makes one more. */
export function simulatePass(ports: number, cost: PassCost, conditions: PassConditions): number {
  const { processorShare, storeMs, width } = conditions;
  let [begun, owed, processorFreeAt] = [0, 0, 0];
  const next = (): number => {
    begun += 1;
    owed += cost.callsPerPort;
    const calls = Math.floor(owed + 1e-9);
    owed -= calls;
    return calls + 1;
  };
  const sliceMs = cost.cpuMsPerPort / processorShare / (cost.callsPerPort + 1);
  const workers: Worker[] = Array.from({ length: Math.min(width, ports) }, () => ({
    readyAt: 0,
    slices: next(),
  }));
  for (;;) {
    const busy = workers.filter(({ slices }) => slices > 0);
    const [worker] = busy.sort((a, b) => a.readyAt - b.readyAt);
    if (worker === undefined) return processorFreeAt;
    processorFreeAt = Math.max(processorFreeAt, worker.readyAt) + sliceMs;
    worker.slices -= 1;
    worker.readyAt = processorFreeAt + (worker.slices > 0 ? storeMs : 0);
    if (worker.slices === 0 && begun < ports) worker.slices = next();
  }
}
