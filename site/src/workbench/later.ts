/**
 * What is loaded only after a file was chosen. The guard keeps these modules, and with them their
 * styles, out of the pre-rendering, so that no page waits for a style sheet it does not show.
 */
const SERVER = import.meta.env.SSR;

const never = (): never => {
  throw new Error('not while pre-rendering');
};

export const loadFields = SERVER ? never : () => import('../fields');
export const loadEditors = SERVER ? never : () => import('../editors');
export const loadCorrection = SERVER ? never : () => import('../editors/Correction');
export const loadPreview = SERVER ? never : () => import('../editors/pdf/preview');
export const loadUploads = SERVER ? never : () => import('./uploads');
export const loadNotify = SERVER ? never : () => import('../ui/notify');
