/** Adds accessible names to the controls of Swagger UI that lack one, also after it redraws. */

function mend(host: HTMLElement): void {
  for (const control of host.querySelectorAll(
    'select:not([aria-label]), input:not([aria-label]), textarea:not([aria-label])',
  )) {
    const row = control.closest('tr')?.querySelector('.parameter__name')?.firstChild?.textContent;
    const near = control.closest('label, .response-control-media-type, .auth-container')?.textContent;
    const label = row ?? near ?? control.getAttribute('placeholder') ?? 'Value';
    control.setAttribute('aria-label', label.trim().slice(0, 80));
  }
  for (const block of host.querySelectorAll('pre:not([tabindex])')) block.setAttribute('tabindex', '0');
}

export function mendAccessibility(host: HTMLElement): void {
  new MutationObserver(() => mend(host)).observe(host, { childList: true, subtree: true });
  mend(host);
}
