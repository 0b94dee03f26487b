import { chunkFor } from '../../scripts/lost';

const root = document.querySelector<HTMLElement>('[data-user-info]');
if (root) void chunkFor(root, () => import('./mount')).then((chunk) => chunk?.mount(root));
