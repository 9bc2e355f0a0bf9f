/** Light or dark: the reader's choice, else the system's. Loaded before the page is drawn, so that nothing flashes. */
import { REDRAW } from './page.ts';

const STORAGE_KEY = 'portal-theme';
type Theme = 'light' | 'dark';

function storedTheme(): Theme | undefined {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return theme === 'light' || theme === 'dark' ? theme : undefined;
  } catch {
    return undefined;
  }
}

function storeTheme(theme: Theme): void {
  try {
    localStorage.setItem(STORAGE_KEY, theme);
  } catch {
    // Without storage the system's theme applies.
  }
}

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const systemTheme = (): Theme => (system.matches ? 'dark' : 'light');
const other = (): Theme => (root.dataset.theme === 'dark' ? 'light' : 'dark');
/** Undefined while the head of the page is parsed. */
const button = (): HTMLElement | null => document.getElementById('theme');

/** The button's label, which also changes with the system's theme. */
const nameButton = (): void => button()?.setAttribute('aria-label', `Switch to ${other()} theme`);

/** Swagger UI looks for a class, charts listen for the event. */
function apply(theme: Theme): void {
  root.dataset.theme = theme;
  root.classList.toggle('dark-mode', theme === 'dark');
  nameButton();
  document.dispatchEvent(new Event(REDRAW));
}

apply(storedTheme() ?? systemTheme());
system.addEventListener('change', () => {
  if (storedTheme() === undefined) apply(systemTheme());
});
document.addEventListener('DOMContentLoaded', () => {
  nameButton();
  button()?.addEventListener('click', () => {
    const chosen = other();
    apply(chosen);
    storeTheme(chosen);
  });
});
