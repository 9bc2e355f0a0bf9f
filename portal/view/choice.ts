/** A row of buttons with one pressed: the windows of a port. */
import { html, type TemplateResult } from 'lit-html';

/** `choices`: what each of the buttons says, by the value that it chooses. */
export const choiceRow = <V extends string>(
  label: string,
  choices: Readonly<Record<V, string>>,
  chosen: V,
  choose: (value: V) => void,
): TemplateResult => {
  const buttons = (Object.entries(choices) as [V, string][]).map(
    ([value, text]) =>
      html`<button type="button" aria-pressed=${value === chosen} @click=${() => choose(value)}>${text}</button>`,
  );
  return html`<div class="choice" role="group" aria-label=${label}>${buttons}</div>`;
};
