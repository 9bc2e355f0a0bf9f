/** What a panel says in the place of its data: that it loads, that there is nothing, or what went wrong and what to do. */
import type { Outcome, Refusal } from '../api/outcome.ts';
import { element } from './element.ts';

/** Where each code is explained. */
const ERRORS_PAGE = '/docs/errors.html';

export const loadingNotice = (what: string): HTMLElement =>
  element(
    'div',
    { class: 'notice notice-loading', role: 'status' },
    element('span', { class: 'pulse' }),
    `Loading ${what}`,
  );

export const emptyNotice = (text: string): HTMLElement =>
  element('p', { class: 'notice notice-empty', role: 'status' }, text);

/** Made-up figures must not be taken for real ones. */
export const simulatedNotice = (): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-simulated' },
    element('strong', {}, 'Sample data.'),
    ' Every figure on this page is made up, the import index too. For real ones start the service with ',
    element('code', {}, 'npm start -- --live'),
    '.',
  );

/** Counts the seconds of Retry-After down on the button, which can be pressed at their end. */
function retryButton(seconds: number, retry: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'button' });
  const endAt = Date.now() + seconds * 1000;
  const show = (): void => {
    const left = Math.ceil((endAt - Date.now()) / 1000);
    button.disabled = left > 0;
    button.textContent = left > 0 ? `Retry in ${left} s` : 'Retry now';
    if (left <= 0 || (seconds > 0 && !button.isConnected && left < seconds - 1)) clearInterval(timer);
  };
  const timer = setInterval(show, 250);
  show();
  button.addEventListener('click', retry);
  return button;
}

function refusalNotice({ status, error, retryAfterSeconds }: Refusal, retry: () => void): HTMLElement {
  const canHeal = status === 429 || status >= 500;
  return element(
    'div',
    { class: 'notice notice-error', role: 'alert' },
    element(
      'p',
      { class: 'notice-title' },
      element('span', { class: 'tag tag-error' }, String(status)),
      ' ',
      element('a', { href: `${ERRORS_PAGE}#${error.code}` }, element('code', {}, error.code)),
    ),
    element('p', {}, error.message),
    error.hint === undefined ? undefined : element('p', { class: 'notice-hint' }, error.hint),
    canHeal ? retryButton(retryAfterSeconds ?? 1, retry) : undefined,
    error.request_id ? element('p', { class: 'notice-small' }, `request_id ${error.request_id}`) : undefined,
  );
}

/** The notice of an outcome that is no answer. */
export function failureNotice(outcome: Exclude<Outcome, { kind: 'answer' }>, retry: () => void): HTMLElement {
  if (outcome.kind === 'refusal') return refusalNotice(outcome, retry);
  return element(
    'div',
    { class: 'notice notice-error', role: 'alert' },
    element('p', { class: 'notice-title' }, 'No answer'),
    element('p', {}, 'The API cannot be reached from here.'),
    element('p', { class: 'notice-hint' }, 'Check the connection, and that the service runs.'),
    retryButton(2, retry),
  );
}
