import type { EditorModule } from '../workbench/contract';

export const editors: Record<string, () => Promise<EditorModule>> = {
  grid: () => import('./grid'),
};
