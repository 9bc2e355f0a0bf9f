/**
 * The reader's own key, kept for the other pages of the portal until the tab is closed: only where the reader asks for it. Without
 * storage it is not kept.
 */
const STORAGE_KEY = 'portal-key';

export function keptKey(): string | undefined {
  try {
    return sessionStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Undefined forgets it. */
export function keepKey(key: string | undefined): void {
  try {
    if (key === undefined) sessionStorage.removeItem(STORAGE_KEY);
    else sessionStorage.setItem(STORAGE_KEY, key);
  } catch {
    // The session has it until the page is left.
  }
}
