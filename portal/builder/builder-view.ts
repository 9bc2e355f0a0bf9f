/** The builder: one request with its address, response, download and code. */
import type { OperationId } from '../../core/contracts/routes.ts';
import type { Session } from '../api/session.ts';
import type { ListedSource } from '../api/source-list.ts';
import { asCsv, type BuiltRequest, buildRequest, toSearch, type Values } from '../request/built-request.ts';
import { exampleValues } from '../request/operation-form.ts';
import { copyButton } from '../view/copy-button.ts';
import { breakable, element } from '../view/element.ts';
import { createSampleCheck, createSampleNotice } from '../view/sample-notice.ts';
import { createCodeTabs } from './code-tabs.ts';
import { downloadButton } from './download.ts';
import { createEndpointChoice } from './endpoint-choice.ts';
import { createFieldset } from './fieldset.ts';
import { createResponseView } from './response-view.ts';

export interface BuilderView {
  readonly node: HTMLElement;
  show(request: BuiltRequest): void;
  /** Sends the request that is shown. */
  send(): void;
}

/** Milliseconds after the last key stroke. */
const SETTLED_MS = 500;

interface BuiltAddress {
  /** The address of the request. */
  readonly node: HTMLElement;
  /** Actions on it. */
  readonly actions: HTMLElement;
  show(request: BuiltRequest): void;
}

function createBuiltAddress(session: Session): BuiltAddress {
  const address = element('code', { class: 'address' });
  const copy = copyButton('Copy URL', () => address.textContent ?? '');
  const actions = element('div', { class: 'actions' });
  return {
    node: element('div', { class: 'built' }, element('span', { class: 'method' }, 'GET'), address),
    actions,
    show(request) {
      address.replaceChildren(...breakable(location.origin + request.path));
      const csv = asCsv(request);
      actions.replaceChildren(copy, ...(csv === undefined ? [] : [downloadButton(session, csv)]));
    },
  };
}

const form = (...parts: HTMLElement[]): HTMLElement =>
  element(
    'section',
    { class: 'panel builder-form', 'aria-labelledby': 'builder-title' },
    element('h2', { id: 'builder-title' }, 'Request builder'),
    ...parts,
  );

/** An example's values, replaced by those entered in fields of the same name. */
function valuesFor(operation: OperationId, entered: Values): Values {
  const example = Object.entries(exampleValues(operation));
  return Object.fromEntries(example.map(([name, value]) => [name, entered[name] ?? value]));
}

/** `moved` gets the page's query for each request, so that the address can be shared. */
export function createBuilderView(
  session: Session,
  sources: readonly ListedSource[],
  moved: (search: string) => void,
): BuilderView {
  let request = buildRequest('trend', exampleValues('trend'));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const entered: Record<string, string> = {};
  const endpoint = createEndpointChoice((operation) =>
    change(buildRequest(operation, valuesFor(operation, entered)), 0),
  );
  const fields = createFieldset((values) => change(buildRequest(request.operation, values), SETTLED_MS));
  const address = createBuiltAddress(session);
  const sample = createSampleNotice(sources);
  const checkForSample = createSampleCheck(session, sample);
  const response = createResponseView(session);
  const code = createCodeTabs();

  const send = (): void => {
    if (!request.complete) return;
    void response.load(request);
    void checkForSample();
  };
  const change = (wanted: BuiltRequest, delayMs: number): void => {
    request = wanted;
    Object.assign(entered, wanted.values);
    endpoint.show(wanted.operation);
    fields.show(wanted);
    address.show(wanted);
    code.show(wanted, location.origin);
    moved(toSearch(wanted));
    clearTimeout(timer);
    timer = setTimeout(send, delayMs);
  };
  return {
    node: element(
      'div',
      { class: 'builder' },
      form(endpoint.node, fields.node, address.node, address.actions),
      sample.node,
      element('div', { class: 'pair' }, response.node, code.node),
    ),
    show(wanted) {
      if (wanted.path !== request.path || !response.loaded()) change(wanted, 0);
    },
    send,
  };
}
