/** The fields of the builder's request, from the route table, with the fault beside each. */
import type { BuiltRequest, Values } from '../request/built-request.ts';
import { type Field, fieldsOf } from '../request/operation-form.ts';
import { element } from '../view/element.ts';

export interface Fieldset {
  readonly node: HTMLElement;
  show(request: BuiltRequest): void;
}

type Control = HTMLInputElement | HTMLSelectElement;

function controlOf(field: Field, id: string): Control {
  const { name, choices, fallback, example } = field;
  const described = { id, name, 'aria-describedby': `${id}-note ${id}-fault` };
  if (choices === undefined) {
    return element('input', {
      ...described,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: `like ${example}`,
    });
  }
  const none = fallback === undefined ? 'not given' : `not given (${fallback})`;
  const options = choices.map((choice) => element('option', { value: choice }, choice));
  const optional = field.place === 'query' ? [element('option', { value: '' }, none)] : [];
  return element('select', described, ...optional, ...options);
}

interface FieldRow {
  readonly field: Field;
  readonly control: Control;
  readonly fault: HTMLElement;
  readonly node: HTMLElement;
}

function rowOf(field: Field): FieldRow {
  const id = `field-${field.name}`;
  const control = controlOf(field, id);
  const fault = element('p', { class: 'fault', id: `${id}-fault` });
  const place = field.place === 'path' ? ' in the path' : '';
  const node = element(
    'div',
    { class: 'field' },
    element('label', { for: id }, element('code', {}, field.name), place),
    control,
    element('p', { class: 'field-note', id: `${id}-note` }, field.description.replaceAll('`', '')),
    fault,
  );
  return { field, control, fault, node };
}

/** All values after a change of `changed`: of fields that exclude each other, only the one just set remains. */
function valuesAfter(changed: FieldRow, rows: readonly FieldRow[]): Values {
  const ousts = changed.field.exclusive && changed.control.value !== '';
  return Object.fromEntries(
    rows.map((row) => {
      const isOusted = ousts && row.field.exclusive && row !== changed;
      return [row.field.name, isOusted ? '' : row.control.value.trim()];
    }),
  );
}

function showIn({ field, control, fault }: FieldRow, { values, faults }: BuiltRequest): void {
  const value = values[field.name] ?? '';
  if (control.value.trim() !== value) control.value = value;
  const said = faults[field.name] ?? '';
  fault.textContent = said;
  control.setAttribute('aria-invalid', String(said !== ''));
}

/** `change` gets all values whenever one of them changes. */
export function createFieldset(change: (values: Values) => void): Fieldset {
  const node = element('div', { class: 'fields' });
  let operation: BuiltRequest['operation'] | undefined;
  let rows: readonly FieldRow[] = [];

  const build = (wanted: BuiltRequest['operation']): void => {
    operation = wanted;
    rows = fieldsOf(wanted).map(rowOf);
    for (const row of rows) row.control.addEventListener('input', () => change(valuesAfter(row, rows)));
    node.replaceChildren(...rows.map((row) => row.node));
  };
  return {
    node,
    show(request) {
      if (request.operation !== operation) build(request.operation);
      for (const row of rows) showIn(row, request);
    },
  };
}
