/** Light or dark: the reader's choice, else the system's. Loaded before the page is drawn, so that nothing flashes. */
const KEPT = 'portal-theme';
const THEMES = ['light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const isTheme = (text: string | null): text is Theme => THEMES.some((theme) => theme === text);

function kept(): Theme | undefined {
  try {
    const theme = localStorage.getItem(KEPT);
    return isTheme(theme) ? theme : undefined;
  } catch {
    return undefined;
  }
}

function keep(theme: Theme): void {
  try {
    localStorage.setItem(KEPT, theme);
  } catch {
    // A browser that keeps nothing keeps the system's theme.
  }
}

const root = document.documentElement;
const system = matchMedia('(prefers-color-scheme: dark)');
const current = (): Theme =>
  isTheme(root.dataset.theme ?? null) ? (root.dataset.theme as Theme) : system.matches ? 'dark' : 'light';

/** Swagger UI looks for a class, charts listen for the event. */
function apply(theme: Theme): void {
  root.dataset.theme = theme;
  root.classList.toggle('dark-mode', theme === 'dark');
  document.dispatchEvent(new Event('redraw'));
}

apply(kept() ?? current());
system.addEventListener('change', () => {
  if (kept() === undefined) apply(system.matches ? 'dark' : 'light');
});
document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme');
  const label = (): void =>
    button?.setAttribute('aria-label', `Switch to ${current() === 'dark' ? 'light' : 'dark'} theme`);
  label();
  button?.addEventListener('click', () => {
    apply(current() === 'dark' ? 'light' : 'dark');
    keep(current());
    label();
  });
});
