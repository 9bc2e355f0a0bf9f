interface IteratorClass {
  readonly prototype: { close(): Promise<void> };
}

export function closeOnReturn(abstractLevel: {
  readonly AbstractKeyIterator: IteratorClass;
  readonly AbstractValueIterator: IteratorClass;
}): void;
