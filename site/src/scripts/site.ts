import { watchAccount } from '../account/early';
import { watchBuilds } from './builds';
import { watchChunkErrors } from './chunks';
import { blockDrops } from './drops';
import { prefetchAfterLoad } from './prefetch';
import { reloadAllowed } from './reload';
import { watchTheme } from './theme';

watchTheme();
watchAccount();
blockDrops();
watchChunkErrors();
watchBuilds();
prefetchAfterLoad();

for (const button of document.querySelectorAll('[data-reload]')) {
  button.addEventListener('click', () => {
    reloadAllowed(location.pathname, sessionStorage, Date.now());
    location.reload();
  });
}
