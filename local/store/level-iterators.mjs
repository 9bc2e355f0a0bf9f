/**
 * Lets the iterators of level be closed by `return`, by which dynalite ends its streams and which they do not have.
 * Left open, each keeps a native handle and what it had read, 16 KB a request by a soak, while the process lives.
 */
export function closeOnReturn({ AbstractKeyIterator, AbstractValueIterator }) {
  for (const { prototype } of [AbstractKeyIterator, AbstractValueIterator])
    prototype.return ??= function () {
      return this.close();
    };
}
