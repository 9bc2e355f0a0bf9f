/** Notices that a panel shows instead of data: loading, empty, or an error and what to do. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { Directive, directive, type ElementPart } from 'lit-html/directive.js';
import type { ErrorResponse, Failure } from '../api/responses.ts';
import { HEALTH } from '../api/source-list.ts';

export const loadingNotice = (what: string): TemplateResult =>
  html`<div class="notice notice-loading" role="status"><span class="pulse"></span>Loading ${what}</div>`;

export const emptyNotice = (content: unknown): TemplateResult =>
  html`<p class="notice" role="status">${content}</p>`;

export const errorNotice = (content: unknown): TemplateResult =>
  html`<p class="notice notice-error" role="alert">${content}</p>`;

/** Asks the operator, by the contact in the footer; empty on a stage without a contact. */
function askForKey(): unknown {
  const href = document.querySelector<HTMLAnchorElement>('#contact')?.href;
  if (href === undefined) return nothing;
  return html` No key yet? Ask <a href=${href}>${href.replace(/^(?:mailto:|https:\/\/)/, '')}</a>.`;
}

export const noKeyNotice = (): TemplateResult =>
  emptyNotice(
    html`Enter your API key above. Every endpoint except <code>GET ${HEALTH}</code> needs one.${askForKey()}`,
  );

/** The portal's own files are incomplete. */
export const incompleteNotice = (): TemplateResult =>
  errorNotice(
    'This page could not be loaded completely. Reload it; if that does not help, the portal was not deployed completely.',
  );

/** Counts the seconds until `failure` may be retried down on a button, which can be pressed at their end. */
class Countdown extends Directive {
  #failure: Failure | undefined;

  render(_failure: Failure, _seconds: number): unknown {
    return nothing;
  }

  override update({ element }: ElementPart, [failure, seconds]: [Failure, number]): unknown {
    if (this.#failure === failure) return nothing;
    this.#failure = failure;
    const button = element as HTMLButtonElement;
    const endAt = Date.now() + seconds * 1000;
    const show = (): void => {
      if (this.#failure !== failure) return;
      const left = Math.max(0, Math.ceil((endAt - Date.now()) / 1000));
      button.disabled = left > 0;
      button.textContent = left > 0 ? `Retry in ${left} s` : 'Retry now';
      if (left > 0) setTimeout(show, 250);
    };
    show();
    return nothing;
  }
}
const countdown = directive(Countdown);

/** Screen readers repeat an alert at each change within it, so the seconds are not announced. */
const retryButton = (failure: Failure, seconds: number, retry: () => void): TemplateResult =>
  html`<button type="button" class="button" aria-live="off" @click=${retry} ${countdown(failure, seconds)}></button>`;

function errorResponse(failure: ErrorResponse, retry: () => void): TemplateResult {
  const { status, error, retryAfterSeconds } = failure;
  // A good status with a body that is not the API's may be temporary.
  const mayRetry = status === 429 || status >= 500 || status < 400;
  return html`<div class="notice notice-error" role="alert">
    <p class="notice-title">
      <span class="tag tag-error">${status}</span> <a href="/docs/errors.html#${error.code}"><code>${error.code}</code></a>
    </p>
    <p>${error.message}</p>
    ${error.hint === undefined ? nothing : html`<p class="notice-hint">${error.hint}</p>`}
    ${mayRetry ? retryButton(failure, retryAfterSeconds ?? 1, retry) : nothing}
    ${error.request_id ? html`<p class="notice-small">request_id ${error.request_id}</p>` : nothing}
  </div>`;
}

/** The notice for an outcome without data. */
export const failureNotice = (failure: Failure, retry: () => void): TemplateResult =>
  failure.kind === 'error'
    ? errorResponse(failure, retry)
    : html`<div class="notice notice-error" role="alert">
        <p class="notice-title">No response</p>
        <p>The API cannot be reached from here.</p>
        <p class="notice-hint">Check the connection, and that the service is running.</p>
        ${retryButton(failure, 2, retry)}
      </div>`;
