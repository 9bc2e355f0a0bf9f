/** What people call a field of the API, with the API's own name in a tooltip. */
import { element } from './element.ts';

const WORDS = {
  congestion_score: 'Congestion score',
  avg_wait_hours: 'Average wait',
  at_anchor: 'At anchor',
  in_port: 'In port',
  arrivals_24h: 'Arrived',
  departures_24h: 'Departed',
  berthings: 'Berthings',
} as const;

/** `field` in words. */
export const fieldName = (field: keyof typeof WORDS): HTMLElement => {
  const description = `${field} in the API`;
  return element(
    'span',
    { class: 'field-name', title: description, 'aria-description': description },
    WORDS[field],
  );
};
