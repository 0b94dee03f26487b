import { chunkFor } from '../../../scripts/lost';

const root = document.querySelector<HTMLElement>('[data-sign-pad]');
if (root) void chunkFor(root, () => import('./mount')).then((chunk) => chunk?.mount(root));
