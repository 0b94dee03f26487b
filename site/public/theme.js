// Loaded before the first paint, so that neither a chosen theme nor an account flashes.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('account') === 'user') document.documentElement.dataset.account = 'user';
} catch {}
