import { later, never, noteLost, SERVER } from './later';

/** Documents shown large: the files of tools without an editor, and results. */
export const loadPreviewer = SERVER ? never : later(() => import('./preview'), noteLost);
