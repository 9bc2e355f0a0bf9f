/** The endpoint that the builder's request goes to, chosen from the route table. */
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import { element } from '../view/element.ts';

export interface EndpointChoice {
  readonly node: HTMLElement;
  /** Selects `operation` without an event. */
  show(operation: OperationId): void;
}

export function createEndpointChoice(choose: (operation: OperationId) => void): EndpointChoice {
  const options = OPERATION_IDS.map((id) => {
    const { paths, summary }: Route = ROUTES[id];
    return element('option', { value: id }, `${paths[0]}: ${summary}`);
  });
  const select = element('select', { id: 'operation' }, ...options);
  select.addEventListener('change', () => {
    const operation = OPERATION_IDS.find((id) => id === select.value);
    if (operation) choose(operation);
  });
  return {
    node: element('div', { class: 'field' }, element('label', { for: 'operation' }, 'Endpoint'), select),
    show(operation) {
      select.value = operation;
    },
  };
}
