const line = document.querySelector<HTMLElement>('[data-not-found]');
if (line) {
  const path = decodeURI(location.pathname) + location.search;
  line.textContent = (line.dataset.notFound ?? '').replace('{path}', path);
}
