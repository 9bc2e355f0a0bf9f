/** Answers kept for revalidation, the least recently used dropped first. Kept as text, so that no caller shares one. */

export interface KeptAnswer {
  readonly etag: string;
  readonly body: string;
}

export class EtagCache {
  readonly #answers = new Map<string, KeptAnswer>();
  readonly #entries: number;

  /** @param entries answers kept at most; 0 keeps none. */
  constructor(entries: number) {
    this.#entries = entries;
  }

  get(path: string): KeptAnswer | undefined {
    const answer = this.#answers.get(path);
    // A map remembers the order of insertion: what is used goes to the end.
    if (answer !== undefined) this.#touch(path, answer);
    return answer;
  }

  set(path: string, answer: KeptAnswer): void {
    this.#touch(path, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#entries) return;
      this.#answers.delete(oldest);
    }
  }

  #touch(path: string, answer: KeptAnswer): void {
    this.#answers.delete(path);
    this.#answers.set(path, answer);
  }
}
