import type { Lang } from '../lib/lang';

export type { Lang };

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** `restricted`: it opens without a password, and readers are asked not to do all with it. */
export type Protection = 'none' | 'restricted' | 'locked';

/** A file the visitor chose (or brought along from another tool: then `blob` is null and `key` is set). */
export type ChosenFile = {
  id: string;
  name: string;
  size: number;
  /** `pdf`, `docx`, `image` …: the `kind` of the contract's `accepts` entry that took it. */
  kind: string;
  blob: File | null;
  /** Key in the store, once the upload is complete. */
  key: string | null;
  /** Page count where the browser could read it, else null. */
  pages: number | null;
  password?: string;
  /** How a PDF is protected, where the browser could tell. */
  protection?: Protection;
  /** Whether each page lies (is wider than high), where an option asked for it and the browser could tell. */
  lying?: readonly boolean[];
  /** The uppermost level, from 1, at which a bookmark leads somewhere (null: none does); likewise. */
  bookmarked?: number | null;
  /** Object URL of a picture of the first page. */
  thumbnail?: string;
};

/** What an editor of src/editors (page grid, cut marks, canvas, order list) is given. */
export type EditorProps = {
  files: ChosenFile[];
  options: Json;
  onChange(options: Json): void;
  lang: Lang;
  /** Given to editors that list the files themselves (order). */
  list?: Listing;
  /** Uploads a further file that the options name, and answers its storage key. */
  upload?(file: File): Promise<string>;
};

/** What an editor may do with the list of files. */
export type Listing = {
  onReorder(ids: string[]): void;
  onRemove(id: string): void;
  /** A locked file's password, found to fit. */
  onPassword?(id: string, password: string): void;
};

export type Localised = { zh: string; en: string };

/** What `OptionsForm` of src/fields is given besides schema, value and onChange. */
export type FormContext = {
  files: ChosenFile[];
  lang: Lang;
  /** Uploads a further file (widget `file`) and answers its storage key. */
  upload(file: File): Promise<string>;
  /** What is told beside a choice, by the field's path and the choice: how large a result would be. */
  asides?: Record<string, Record<string, string>>;
};

export type FieldSchema = {
  type?: string | string[];
  title?: string;
  default?: Json;
  enum?: Json[];
  const?: Json;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
  required?: string[];
  anyOf?: FieldSchema[];
  oneOf?: FieldSchema[];
  discriminator?: { propertyName: string; mapping?: Record<string, string> };
  $ref?: string;
  $defs?: Record<string, FieldSchema>;
  ui?: FieldUi;
};

export type FieldUi = {
  widget?: string;
  title?: Localised;
  hint?: Localised;
  choices?: Record<string, Localised>;
  /** What few want to know of a choice: told among the advanced fields. */
  details?: Record<string, Localised>;
  unit?: string;
  when?: Record<string, Json[]>;
  advanced?: boolean;
  placeholder?: Localised;
  /** Of the widget `file`: extensions with their dot. */
  accept?: string[];
  /** Of the widget `password`: show how hard it is to guess. */
  strength?: boolean;
  /** Of the widget `toggle`: nothing starts before it is on. */
  must?: boolean;
  /** Of the widget `pages`: an empty range names none, instead of all. */
  empty?: 'none';
  /** The page's editor draws this field; the form only checks it. */
  editor?: boolean;
};

/** `import { OptionsForm, defaultsOf, problemsOf } from '../fields'` */
export type OptionsFormProps = {
  schema: FieldSchema;
  value: Json;
  onChange(value: Json): void;
  context: FormContext;
};

/** What src/editors/index.ts loads, by the name of an editor; src/editors/facts.ts tells of it what a page must know before. */
export type EditorModule = { default: React.ComponentType<EditorProps> };
