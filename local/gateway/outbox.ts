/**
 * Sends what became ready in one turn of the event loop together, at its end. A client on the same machine is then woken
 * once for all its answers; written one by one, each would wake it, and each waking costs more than the writing.
 */
export function createOutbox(): (send: () => void) => void {
  let waiting: (() => void)[] = [];
  const sendAll = (): void => {
    const ready = waiting;
    waiting = [];
    for (const send of ready) send();
  };
  return (send) => {
    waiting.push(send);
    if (waiting.length === 1) setImmediate(sendAll);
  };
}
