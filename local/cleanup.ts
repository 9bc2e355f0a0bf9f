/** Closes opened resources in reverse order, and only once, however often it is called. */
export class Cleanup {
  readonly #steps: (() => Promise<unknown> | unknown)[] = [];
  readonly #end = new AbortController();
  #closed: Promise<void> | undefined;

  /** Aborted when the closing begins. */
  get signal(): AbortSignal {
    return this.#end.signal;
  }

  add(step: () => Promise<unknown> | unknown): void {
    this.#steps.push(step);
  }

  close(): Promise<void> {
    this.#closed ??= this.#run();
    return this.#closed;
  }

  async #run(): Promise<void> {
    this.#end.abort();
    for (const step of this.#steps.reverse()) await step();
  }
}
