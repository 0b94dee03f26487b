/** What a page must know of an editor before the editor's code has come. */
export type EditorFacts = {
  /** It draws the pages, so that a file brought along must come to the browser too. */
  drawsPages: boolean;
  /** It lists the files itself. */
  listsFiles: boolean;
};

/** By the `editor` of a tool. */
export const FACTS = {
  board: { drawsPages: true, listsFiles: false },
  canvas: { drawsPages: true, listsFiles: false },
  cuts: { drawsPages: true, listsFiles: false },
  grid: { drawsPages: true, listsFiles: false },
  order: { drawsPages: true, listsFiles: true },
  pick: { drawsPages: true, listsFiles: false },
  strike: { drawsPages: true, listsFiles: false },
} satisfies Record<string, EditorFacts>;

export type EditorName = keyof typeof FACTS;

const FORM_ONLY: EditorFacts = { drawsPages: false, listsFiles: false };

/** Those of the tool's editor; a tool without one is all form. */
export const factsOf = (editor: EditorName | null): EditorFacts => (editor ? FACTS[editor] : FORM_ONLY);
