import type { ReactNode } from 'react';
import type { ChosenFile, Lang } from '../../workbench/contract';
import type { Choice } from './choice';
import type { Ids, Leaf, Quarter } from './model';
import type { Steps } from './useHistory';

/** Pages under one heading: those of one file, or of all files mixed (`file` is null: no heading). */
export type Section = { file: ChosenFile | null; leaves: readonly Leaf[] };

/** What can be done here; what is missing is not offered. Places count from 0 over all sections. */
export type Deeds = {
  turn?(ids: Ids, by: Quarter): void;
  move?(ids: Ids, to: number): void;
  copy?(ids: Ids): void;
  remove?(ids: Ids): void;
  reverse?(ids: Ids): void;
  /** A blank page before this place. */
  blank?(at: number): void;
  /** After this leaf. */
  cut?(id: number): void;
};

/** How the document is cut, seen from one leaf. */
export type PartLook = { look: 'none' | 'whole' | 'odd' | 'even'; name: string | null; cut: boolean | null };

export type BoardProps = {
  files: ChosenFile[];
  sections: readonly Section[];
  deeds: Deeds;
  /** Null where pages are only looked at. */
  choice: Choice | null;
  onChoice(choice: Choice): void;
  /** A page is pointed at, one at a time: the toolbar does not offer to choose many. */
  pointing?: boolean;
  steps: Pick<Steps<unknown>, 'undo' | 'redo'>;
  /** Of the leaf at this place, where the board shows cuts. */
  partAt?(place: number): PartLook;
  /** What is chosen goes: it is struck out instead of ticked. */
  striking?: boolean;
  /** Only pages of this shape show how they are turned. */
  shape?: 'any' | 'landscape' | 'portrait';
  /** Beside the heading of a file. */
  fileTools?(file: ChosenFile): ReactNode;
  /** What the board comes to, in the toolbar. */
  outcome?: ReactNode;
  /** A line below the toolbar. */
  notice?: ReactNode;
  /** Least side of a page's square on a wide screen, in pixels. */
  leastCell?: number;
  lang: Lang;
  onPassword?: ((id: string, password: string) => void) | undefined;
};

/** What was pressed on a leaf. */
export type Press = 'pick' | 'left' | 'right' | 'copy' | 'remove' | 'look' | 'cut';
