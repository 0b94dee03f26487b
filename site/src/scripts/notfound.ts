const SUB_SITE = /^(pdf|compress|merge|pdf2word)\./;

const line = document.querySelector<HTMLElement>('[data-not-found]');
if (line) {
  const path = decodeURI(location.pathname) + location.search;
  line.textContent = (line.dataset.notFound ?? '').replace('{path}', path);
}

// A sub-site serves nothing but its home, so every way on leads to the main site.
if (SUB_SITE.test(location.host)) {
  const main = `${location.protocol}//${location.host.replace(SUB_SITE, '')}`;
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[href^="/"]')) {
    link.href = main + link.getAttribute('href');
  }
}
