import type { EditorModule } from '../workbench/contract';
import type { EditorName } from './facts';

/** By the `editor` of a tool. */
export const editors: Record<EditorName, () => Promise<EditorModule>> = {
  album: () => import('./album'),
  board: () => import('./arrange'),
  canvas: () => import('./canvas'),
  cuts: () => import('./cuts'),
  grid: () => import('./grid'),
  order: () => import('./order'),
  pick: () => import('./pick'),
  strike: async () => ({ default: (await import('./pick')).StrikeEditor }),
};

/** By the key of a tool: a small live remark beside its form, with an editor's props. */
export const notes: Record<string, () => Promise<EditorModule>> = {
  pdf_to_image: () => import('./pixels'),
};
