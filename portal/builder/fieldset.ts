/** The fields of the builder's request, made from the route table, with what is wrong said beside each. */
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

/** `change` is told all values whenever one of them changes. */
export function createFieldset(change: (values: Values) => void): Fieldset {
  const node = element('div', { class: 'fields' });
  let operation: BuiltRequest['operation'] | undefined;
  let controls: { field: Field; control: Control; fault: HTMLElement }[] = [];

  const values = (changed?: Control): Values => {
    const own = controls.find(({ control }) => control === changed)?.field;
    return Object.fromEntries(
      controls.map(({ field, control }) => {
        // Of fields that exclude each other, the one just given stays.
        const ousted = own?.exclusive && field.exclusive && field !== own && changed?.value !== '';
        return [field.name, ousted ? '' : control.value.trim()];
      }),
    );
  };
  const build = (wanted: BuiltRequest['operation']): void => {
    operation = wanted;
    controls = fieldsOf(wanted).map((field) => {
      const control = controlOf(field, `field-${field.name}`);
      control.addEventListener('input', () => change(values(control)));
      return { field, control, fault: element('p', { class: 'fault', id: `field-${field.name}-fault` }) };
    });
    node.replaceChildren(
      ...controls.map(({ field, control, fault }) =>
        element(
          'div',
          { class: 'field' },
          element(
            'label',
            { for: control.id },
            element('code', {}, field.name),
            field.place === 'path' ? ' in the path' : '',
          ),
          control,
          element(
            'p',
            { class: 'field-note', id: `${control.id}-note` },
            field.description.replaceAll('`', ''),
          ),
          fault,
        ),
      ),
    );
  };
  return {
    node,
    show(request) {
      if (request.operation !== operation) build(request.operation);
      for (const { field, control, fault } of controls) {
        const value = request.values[field.name] ?? '';
        if (control.value.trim() !== value) control.value = value;
        const said = request.faults[field.name] ?? '';
        fault.textContent = said;
        control.setAttribute('aria-invalid', String(said !== ''));
      }
    },
  };
}
