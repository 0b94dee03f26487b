const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

const root = document.documentElement;

function current(): Theme {
  const theme = root.dataset.theme;
  return theme === 'light' || theme === 'dark' ? theme : 'auto';
}

function show(button: HTMLElement): void {
  const theme = current();
  const label = button.getAttribute(`data-label-${theme}`) ?? theme;
  button.setAttribute('aria-label', label);
  button.title = label;
  for (const icon of button.querySelectorAll<HTMLElement>('[data-theme-icon]')) {
    icon.hidden = icon.dataset.themeIcon !== theme;
  }
}

function choose(theme: Theme): void {
  if (theme === 'auto') {
    delete root.dataset.theme;
    localStorage.removeItem('theme');
  } else {
    root.dataset.theme = theme;
    localStorage.setItem('theme', theme);
  }
}

/** The button walks through system, light and dark. */
export function watchTheme(): void {
  const button = document.querySelector<HTMLElement>('[data-theme-toggle]');
  if (!button) return;
  show(button);
  button.addEventListener('click', () => {
    choose(THEMES[(THEMES.indexOf(current()) + 1) % THEMES.length]!);
    show(button);
  });
}
