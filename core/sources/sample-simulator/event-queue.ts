/** The event queue of a discrete-event simulation: earliest first, ties in the order of insertion. */
import type { Instant } from '../../reference/time.ts';

export interface EventQueue<Happening> {
  add(at: Instant, happening: Happening): void;
  /** Takes the earliest; undefined when nothing is left. */
  next(): { readonly at: Instant; readonly happening: Happening } | undefined;
}

/** A sorted array, because a port's queue has only some dozens of events. */
export function createEventQueue<Happening>(): EventQueue<Happening> {
  const agenda: { at: Instant; happening: Happening }[] = [];
  return {
    add: (at, happening) => {
      const before = agenda.findLastIndex((entry) => entry.at <= at);
      agenda.splice(before + 1, 0, { at, happening });
    },
    next: () => agenda.shift(),
  };
}
