/** What people call a field of the API, with the API's own name in a tooltip. */
import { html, type TemplateResult } from 'lit-html';

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
  date: 'UTC day',
  vessels: 'Vessels in port that day',
  month: 'Month',
  index: 'Import index',
} as const;
export type Field = keyof typeof WORDS;
const isField = (name: string): name is Field => Object.hasOwn(WORDS, name);

export const nameInApi = (field: Field): string => `${field} in the API`;

export const fieldName = (field: Field, words: string = WORDS[field]): TemplateResult => {
  const title = nameInApi(field);
  return html`<span class="field-name" title=${title} aria-description=${title}>${words}</span>`;
};

const UNITS: Partial<Record<Field, string>> = { congestion_score: '0 to 1', avg_wait_hours: 'hours' };

/** The heading of a column that may be a field: its words and unit, and the tooltip. */
export function columnName(name: string): { readonly words: string; readonly title?: string } {
  if (!isField(name)) return { words: name };
  const unit = UNITS[name];
  return { words: `${WORDS[name]}${unit === undefined ? '' : `, ${unit}`}`, title: nameInApi(name) };
}

/** `text` of the API with the field that it begins with in words. */
export function fieldFirst(text: string): (TemplateResult | string)[] {
  const [name = ''] = text.split(' ', 1);
  return isField(name) ? [fieldName(name), text.slice(name.length)] : [text];
}
