/** Saves the CSV response to the builder's request, byte for byte, under the API's file name. */
import type { Session } from '../api/session.ts';
import { type BuiltRequest, savedName } from '../request/built-request.ts';
import { element } from '../view/element.ts';
import { failureNotice } from '../view/notice.ts';

export function downloadButton(session: Session, request: BuiltRequest): HTMLElement {
  const button = element(
    'button',
    { type: 'button', class: 'button', disabled: !request.complete },
    'Download CSV',
  );
  const said = element('div', { class: 'download-state' });
  const save = async (): Promise<void> => {
    const outcome = await session.ask(request.path);
    said.replaceChildren();
    if (outcome.kind !== 'data') {
      said.append(failureNotice(outcome, () => void save()));
      return;
    }
    const url = URL.createObjectURL(new Blob([outcome.text], { type: 'text/csv' }));
    element('a', { href: url, download: savedName(request) }).click();
    URL.revokeObjectURL(url);
  };
  button.addEventListener('click', () => void save());
  return element('div', { class: 'download' }, button, said);
}
