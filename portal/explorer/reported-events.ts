/**
 * What public pages report of days on which a port stood still, with their addresses. A report dates an event at the place; that the
 * event was the cause is said by none of them, and not by us.
 */
import events from './reported-events.json' with { type: 'json' };

export interface ReportedEvent {
  /** UN/LOCODE. */
  readonly port: string;
  /** UTC days of the event there, as the page has them. */
  readonly first_day: string;
  readonly last_day: string;
  readonly event: string;
  readonly publisher: string;
  /** Day of the page. */
  readonly published: string;
  readonly address: string;
}

interface Span {
  readonly port: string;
  readonly first_day: string;
  readonly last_day: string;
}

/** The events reported of any day of a span at a port. */
export const reportedEvents = (
  { port, first_day: first, last_day: last }: Span,
  all: readonly ReportedEvent[] = events,
): readonly ReportedEvent[] =>
  all.filter((event) => event.port === port && event.first_day <= last && first <= event.last_day);
