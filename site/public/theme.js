// Loaded before the first paint, so that neither a chosen theme, an account nor, over work that comes back, a landing page flashes.
try {
  const theme = localStorage.getItem('theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  if (localStorage.getItem('account') === 'user') document.documentElement.dataset.account = 'user';
  const work = `work:${location.pathname.replace(/^\/en(?=\/)/, '')}`;
  if (sessionStorage.getItem(work)) document.documentElement.dataset.working = '';
} catch {}
