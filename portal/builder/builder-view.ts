/** The builder: one request, and everything that follows from it, always of the same request. */
import { OPERATION_IDS, type OperationId, ROUTES, type Route } from '../../core/contracts/routes.ts';
import type { Session } from '../api/session.ts';
import { asCsv, type BuiltRequest, buildRequest, toSearch, type Values } from '../request/built-request.ts';
import { exampleValues } from '../request/operation-form.ts';
import { element } from '../view/element.ts';
import { createAnswerView } from './answer-view.ts';
import { createCodeTabs } from './code-tabs.ts';
import { downloadButton } from './download.ts';
import { createFieldset } from './fieldset.ts';

export interface BuilderView {
  readonly node: HTMLElement;
  show(request: BuiltRequest): void;
  /** Sends the request that is shown. */
  send(): void;
}

/** Milliseconds after the last key stroke. */
const SETTLED_MS = 500;

/** `moved` is told the page's own query for each request, so that the address can be passed on. */
export function createBuilderView(session: Session, moved: (search: string) => void): BuilderView {
  let request = buildRequest('trend', exampleValues('trend'));
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** What was entered stays when another operation is looked at and has a field of that name. */
  const remembered: Record<string, string> = {};
  const operations = element(
    'select',
    { id: 'operation' },
    ...OPERATION_IDS.map((id) => {
      const { paths, summary }: Route = ROUTES[id];
      return element('option', { value: id }, `${paths[0]}: ${summary}`);
    }),
  );
  const fields = createFieldset((values) => change(buildRequest(request.operation, values), true));
  const address = element('code', { class: 'address' });
  const copy = element('button', { type: 'button', class: 'button' }, 'Copy URL');
  const code = createCodeTabs();
  const answer = createAnswerView(session);
  const actions = element('div', { class: 'actions' });

  const send = (): void => {
    if (request.complete) void answer.load(request);
  };
  const draw = (): void => {
    operations.value = request.operation;
    address.textContent = location.origin + request.path;
    code.show(request, location.origin);
    const csv = asCsv(request);
    actions.replaceChildren(copy, ...(csv === undefined ? [] : [downloadButton(session, csv)]));
  };
  const change = (wanted: BuiltRequest, typed: boolean): void => {
    request = wanted;
    Object.assign(remembered, wanted.values);
    fields.show(wanted);
    draw();
    moved(toSearch(wanted));
    clearTimeout(timer);
    timer = setTimeout(send, typed ? SETTLED_MS : 0);
  };

  const valuesFor = (operation: OperationId): Values => {
    const example = exampleValues(operation);
    return Object.fromEntries(
      Object.keys(example).map((name) => [name, remembered[name] ?? example[name] ?? '']),
    );
  };
  operations.addEventListener('change', () => {
    const operation = OPERATION_IDS.find((id) => id === operations.value) ?? 'trend';
    change(buildRequest(operation, valuesFor(operation)), false);
  });
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(address.textContent ?? '');
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy URL';
    }, 1500);
  });

  const node = element(
    'div',
    { class: 'builder' },
    element(
      'section',
      { class: 'panel builder-form', 'aria-labelledby': 'builder-title' },
      element('h1', { id: 'builder-title' }, 'Request builder'),
      element('div', { class: 'field' }, element('label', { for: 'operation' }, 'Endpoint'), operations),
      fields.node,
      element('div', { class: 'built' }, element('span', { class: 'method' }, 'GET'), address),
      actions,
    ),
    element('div', { class: 'pair' }, answer.node, code.node),
  );
  return {
    node,
    show(wanted) {
      if (wanted.path === request.path && answer.loaded()) return;
      change(wanted, false);
    },
    send,
  };
}
