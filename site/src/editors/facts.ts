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
  areas: { drawsPages: true, listsFiles: false },
  board: { drawsPages: true, listsFiles: false },
  canvas: { drawsPages: true, listsFiles: false },
  cuts: { drawsPages: true, listsFiles: false },
  edit: { drawsPages: true, listsFiles: false },
  grid: { drawsPages: true, listsFiles: false },
  insert: { drawsPages: true, listsFiles: false },
  numbers: { drawsPages: true, listsFiles: false },
  order: { drawsPages: true, listsFiles: true },
  pick: { drawsPages: true, listsFiles: false },
  scan: { drawsPages: true, listsFiles: false },
  sign: { drawsPages: true, listsFiles: false },
  slices: { drawsPages: true, listsFiles: false },
  stamps: { drawsPages: true, listsFiles: false },
  strike: { drawsPages: true, listsFiles: false },
} satisfies Record<string, EditorFacts>;

export type EditorName = keyof typeof FACTS;

/** What people correct after a run, by the `review` of a tool. */
export type ReviewName = 'text' | 'lines' | 'table';

const PROOFREAD: Record<ReviewName, readonly string[]> = {
  text: ['txt', 'md'],
  lines: ['docx'],
  table: ['xlsx', 'csv', 'md', 'html', 'json'],
};

/** What of a result of this kind is proofread beside its picture, if anything. */
export const proofreadOf = (review: ReviewName | null, kind: string): ReviewName | null =>
  review && PROOFREAD[review].includes(kind) ? review : null;

/** Tools whose remark is what the form is about: it stands above, where a phone shows it at once. */
export const LEADING_NOTES: readonly string[] = ['excel_to_pdf'];

const FORM_ONLY: EditorFacts = { drawsPages: false, listsFiles: false };

/** Those of the tool's editor; a tool without one is all form. */
export const factsOf = (editor: EditorName | null): EditorFacts => (editor ? FACTS[editor] : FORM_ONLY);
