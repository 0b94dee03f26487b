import type { EditorModule } from '../workbench/contract';

export const editors: Record<string, () => Promise<EditorModule>> = {
  canvas: () => import('./canvas'),
  grid: () => import('./grid'),
};
