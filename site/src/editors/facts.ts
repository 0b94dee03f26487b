/** What a page must know of an editor before the editor's code has come. */
export type EditorFacts = {
  /** It draws the pages, so that a file brought along must come to the browser too. */
  drawsPages: boolean;
  /** It lists the files itself. */
  listsFiles: boolean;
};

/** By the `editor` of a tool. */
export const FACTS = {
  album: { drawsPages: false, listsFiles: true },
  board: { drawsPages: true, listsFiles: false },
  canvas: { drawsPages: true, listsFiles: false },
  cuts: { drawsPages: true, listsFiles: false },
  edit: { drawsPages: true, listsFiles: false },
  grid: { drawsPages: true, listsFiles: false },
  insert: { drawsPages: true, listsFiles: false },
  numbers: { drawsPages: true, listsFiles: false },
  order: { drawsPages: true, listsFiles: true },
  pick: { drawsPages: true, listsFiles: false },
  slices: { drawsPages: true, listsFiles: false },
  stamps: { drawsPages: true, listsFiles: false },
  strike: { drawsPages: true, listsFiles: false },
} satisfies Record<string, EditorFacts>;

export type EditorName = keyof typeof FACTS;

/** What people correct after a run, by the `review` of a tool. A table's comes with the first tool that makes one. */
export type ReviewName = 'text' | 'table';

/** Whether a result of this kind is proofread beside its picture. */
export const isProofread = (review: ReviewName | null, kind: string): boolean =>
  review === 'text' && kind === 'txt';

const FORM_ONLY: EditorFacts = { drawsPages: false, listsFiles: false };

/** Those of the tool's editor; a tool without one is all form. */
export const factsOf = (editor: EditorName | null): EditorFacts => (editor ? FACTS[editor] : FORM_ONLY);
