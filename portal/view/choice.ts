/** A row of buttons of which one is pressed: windows, units, languages. */
import { element } from './element.ts';

export interface Choice {
  readonly group: HTMLElement;
  /** Selects `value` without an event. */
  show(value: string): void;
}

export function createChoice(
  label: string,
  values: readonly string[],
  choose: (value: string) => void,
): Choice {
  const buttons = values.map((value) =>
    element('button', { type: 'button', 'data-value': value, 'aria-pressed': 'false' }, value),
  );
  const show = (value: string): void => {
    for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.value === value));
  };
  for (const button of buttons) {
    button.addEventListener('click', () => {
      show(button.dataset.value ?? '');
      choose(button.dataset.value ?? '');
    });
  }
  return { group: element('div', { class: 'choice', role: 'group', 'aria-label': label }, ...buttons), show };
}
