/** Runs `work` over `items`, `atOnce` at a time; after the first failure no further item starts, and it rejects once all have ended. */
export async function inTurns<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await work(item);
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const done = await Promise.allSettled(Array.from({ length: atOnce }, worker));
  for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason;
}
