/** Responses cached for revalidation, least recently used dropped first. Stored as text, so that callers never share an object. */

export interface CachedResponse {
  readonly etag: string;
  readonly body: string;
}

export class EtagCache {
  readonly #responses = new Map<string, CachedResponse>();
  readonly #entries: number;

  /** @param entries most responses to cache; 0 caches none. */
  constructor(entries: number) {
    this.#entries = entries;
  }

  get(path: string): CachedResponse | undefined {
    const response = this.#responses.get(path);
    // A Map keeps insertion order, so a used entry moves to the end.
    if (response !== undefined) this.#touch(path, response);
    return response;
  }

  set(path: string, response: CachedResponse): void {
    this.#touch(path, response);
    for (const oldest of this.#responses.keys()) {
      if (this.#responses.size <= this.#entries) return;
      this.#responses.delete(oldest);
    }
  }

  #touch(path: string, response: CachedResponse): void {
    this.#responses.delete(path);
    this.#responses.set(path, response);
  }
}
