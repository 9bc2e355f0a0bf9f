/** Notices that a panel shows instead of data: loading, empty, or an error and what to do. */
import type { ErrorResponse, Outcome } from '../api/session.ts';
import { HEALTH } from '../api/source-list.ts';
import { element } from './element.ts';

/** The page that explains each code. */
const ERRORS_PAGE = '/docs/errors.html';

export const loadingNotice = (what: string): HTMLElement =>
  element(
    'div',
    { class: 'notice notice-loading', role: 'status' },
    element('span', { class: 'pulse' }),
    `Loading ${what}`,
  );

export const emptyNotice = (...parts: (Node | string)[]): HTMLElement =>
  element('p', { class: 'notice', role: 'status' }, ...parts);

/** A link to the operator's contact, as in the footer; undefined on a stage without a contact. */
function contactLink(): HTMLElement | undefined {
  const href = document.querySelector<HTMLAnchorElement>('#contact')?.href;
  return href === undefined ? undefined : element('a', { href }, href.replace(/^(?:mailto:|https:\/\/)/, ''));
}

export function noKeyNotice(): HTMLElement {
  const contact = contactLink();
  return emptyNotice(
    'Enter your API key above. Every endpoint except ',
    element('code', {}, `GET ${HEALTH}`),
    ' needs one.',
    ...(contact ? [' No key yet? Ask ', contact, '.'] : []),
  );
}

/** The portal's own files are incomplete. */
export const incompleteNotice = (): HTMLElement =>
  element(
    'p',
    { class: 'notice notice-error', role: 'alert' },
    'This page could not be loaded completely. Reload it; if that does not help, the portal was not deployed completely.',
  );

/**
 * Counts the seconds of Retry-After down on the button, which can be pressed at their end. Screen readers repeat an alert at
 * each change within it, so the seconds are not announced.
 */
function retryButton(seconds: number, retry: () => void): HTMLButtonElement {
  const button = element('button', { type: 'button', class: 'button', 'aria-live': 'off' });
  const endAt = Date.now() + seconds * 1000;
  const show = (): number => {
    const left = Math.max(0, Math.ceil((endAt - Date.now()) / 1000));
    button.disabled = left > 0;
    button.textContent = left > 0 ? `Retry in ${left} s` : 'Retry now';
    return left;
  };
  show();
  // It continues to count while another view is shown.
  const timer = setInterval(() => {
    if (show() === 0) clearInterval(timer);
  }, 250);
  button.addEventListener('click', retry);
  return button;
}

function errorNotice({ status, error, retryAfterSeconds }: ErrorResponse, retry: () => void): HTMLElement {
  // A good status with a body that is not the API's may be temporary.
  const mayRetry = status === 429 || status >= 500 || status < 400;
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
    mayRetry ? retryButton(retryAfterSeconds ?? 1, retry) : undefined,
    error.request_id ? element('p', { class: 'notice-small' }, `request_id ${error.request_id}`) : undefined,
  );
}

/** The notice for an outcome without data. */
export function failureNotice(outcome: Exclude<Outcome, { kind: 'data' }>, retry: () => void): HTMLElement {
  if (outcome.kind === 'error') return errorNotice(outcome, retry);
  return element(
    'div',
    { class: 'notice notice-error', role: 'alert' },
    element('p', { class: 'notice-title' }, 'No response'),
    element('p', {}, 'The API cannot be reached from here.'),
    element('p', { class: 'notice-hint' }, 'Check the connection, and that the service is running.'),
    retryButton(2, retry),
  );
}
