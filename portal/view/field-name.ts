/** What people call a field of the API, with the API's own name in a tooltip. */
import { element } from './element.ts';

const WORDS = {
  congestion_score: 'Congestion score',
  congestion_score_change: 'Change in 7 days',
  avg_wait_hours: 'Average wait',
  at_anchor: 'At anchor',
  in_port: 'In port',
  arrivals_24h: 'Arrived',
  departures_24h: 'Departed',
  berthings: 'Berthings',
  scores: 'Score by day',
  as_of: 'As of',
} as const;
export type Field = keyof typeof WORDS;

/** The tooltip of a field. */
export const nameInApi = (field: Field): string => `${field} in the API`;

/** `field` in words. */
export const fieldName = (field: Field, words: string = WORDS[field]): HTMLElement =>
  element(
    'span',
    { class: 'field-name', title: nameInApi(field), 'aria-description': nameInApi(field) },
    words,
  );
