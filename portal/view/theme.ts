/** Light or dark: the reader's choice, else the system's. Loaded before the page is drawn, so that nothing flashes. */
import { REDRAW } from './page.ts';

const STORAGE_KEY = 'portal-theme';
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text);

function storedTheme(): Theme | undefined {
  try {
    const theme = localStorage.getItem(STORAGE_KEY);
    return isTheme(theme) ? theme : undefined;
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
const current = (): Theme =>
  isTheme(root.dataset.theme ?? null) ? (root.dataset.theme as Theme) : system.matches ? 'dark' : 'light';

const other = (): Theme => (current() === 'dark' ? 'light' : 'dark');
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

apply(storedTheme() ?? current());
system.addEventListener('change', () => {
  if (storedTheme() === undefined) apply(system.matches ? 'dark' : 'light');
});
document.addEventListener('DOMContentLoaded', () => {
  nameButton();
  button()?.addEventListener('click', () => {
    apply(other());
    storeTheme(current());
  });
});
