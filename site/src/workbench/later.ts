import { Watched } from '../account/store';
import { tellLost } from '../scripts/lost';

/**
 * What is loaded only after a file was chosen. The guard keeps these modules, and with them their
 * styles, out of the pre-rendering, so that no page waits for a style sheet it does not show.
 */
export const SERVER = import.meta.env.SSR;

export const never = (): never => {
  throw new Error('not while pre-rendering');
};

/** True from the moment that a part of the workbench did not come, also after the reload for it. */
export const partLost = new Watched(false);

export const noteLost = () => partLost.set(true);

/** A module for which the page is just being reloaded (scripts/chunks) comes as nothing: nobody waits for it. */
const orReload = <T>(module: T): T | Promise<never> => module ?? new Promise<never>(() => {});

export const later =
  <T>(load: () => Promise<T>, lost: () => void) =>
  (): Promise<T> =>
    load().then(orReload, (error) => {
      lost();
      throw error;
    });

// Where these stand in the page, their place says that they did not come (panels/Lost.tsx).
export const loadFields = SERVER ? never : later(() => import('../fields'), noteLost);
export const loadEditors = SERVER ? never : later(() => import('../editors'), noteLost);
// These have no place of their own: the page's bar says it.
export const loadCorrection = SERVER ? never : later(() => import('../editors/Correction'), tellLost);
export const loadLineReview = SERVER ? never : later(() => import('../editors/lines/LineReview'), tellLost);
export const loadTableReview = SERVER ? never : later(() => import('../editors/table/TableReview'), tellLost);
export const loadPreview = SERVER ? never : later(() => import('../editors/pdf/preview'), tellLost);
export const loadLooks = SERVER ? never : later(() => import('../editors/pdf/looks'), tellLost);
export const loadUploads = SERVER ? never : later(() => import('./uploads'), tellLost);
export const loadNotify = SERVER ? never : later(() => import('../ui/notify'), tellLost);
export const loadOutcome = SERVER ? never : later(() => import('./outcome'), tellLost);
