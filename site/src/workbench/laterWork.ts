import { later, never, noteLost, SERVER } from './later';

/** What comes with the first file; apart from `later`, as the panels themselves load by that. */
export const loadWork = SERVER ? never : later(() => import('./panels/Work'), noteLost);
