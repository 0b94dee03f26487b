import type { EditorModule } from '../workbench/contract';
import type { EditorName } from './facts';

/** By the `editor` of a tool. */
export const editors: Record<EditorName, () => Promise<EditorModule>> = {
  album: () => import('./album'),
  areas: () => import('./areas/Areas'),
  board: () => import('./arrange'),
  canvas: () => import('./place/watermark'),
  cuts: () => import('./cuts'),
  edit: () => import('./edit/Edit'),
  grid: () => import('./grid'),
  insert: () => import('./insert/Insert'),
  numbers: () => import('./place/numbers'),
  order: () => import('./order'),
  pick: () => import('./pick'),
  scan: () => import('./scan/Scan'),
  sign: () => import('./sign/Sign'),
  slices: () => import('./slices/Slices'),
  stamps: () => import('./place/stamps'),
  strike: () => import('./strike/Strike'),
};

/** By the key of a tool: a small live remark beside its form, with an editor's props. */
export const notes: Record<string, () => Promise<EditorModule>> = {
  excel_to_pdf: () => import('./sheets/SheetNote'),
  pdf_to_image: () => import('./pixels'),
  uniform_width: () => import('./sizes/Sizes'),
};
