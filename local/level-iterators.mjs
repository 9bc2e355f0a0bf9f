/**
 * Adds the method `return` to level's iterators, which dynalite calls to end its streams. An iterator
 * that stays open leaks a native handle and its buffer, 16 KB a request in a soak, until the process ends.
 */
export function closeOnReturn({ AbstractKeyIterator, AbstractValueIterator }) {
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator])
    prototype.return ??= function () {
      return this.close();
    };
}
