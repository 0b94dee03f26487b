import { useEffect, useRef, useState } from 'react';
import type { EditorProps, Lang } from '../../workbench/contract';
import type { OpenPdf } from '../pdf/open';
import type { Area } from '../pdf/text';
import type { Shown } from '../place/scene';
import type { Holding } from '../place/Surface';
import {
  added,
  changeOf,
  changing,
  type ChangeAct,
  type EditOptions,
  type MarkAct,
  type NoteAct,
  type RedactAct,
  removed,
  replaced,
  type TextAct,
} from './acts';
import type { Line } from './lines';
import { heightOf, type LineLook, PLAIN } from './look';
import { DEFAULTS, type Styled, type Styles } from './making';
import { type ModeName, modesOf, type Pen, type RedactBy } from './modes';
import { useArts } from './useArts';
import { useSearch } from './useSearch';
import type { Written } from './Writing';
import { editWordsOf } from './words';

/** Text selected on a page: where, and what it says. */
export type Selected = { page: number; areas: Area[]; text: string };

type Given = {
  pdf: OpenPdf;
  source: number;
  options: EditOptions;
  lang: Lang;
  upload: EditorProps['upload'];
};

export type Desk = ReturnType<typeof useDesk>;

const lineKey = (page: number, box: Area) => `${page}:${box.join()}`;

/** What is in hand on the editor's desk: the tool, its style, what is being written or searched. */
export function useDesk({ pdf, source, options, lang, upload }: Given) {
  const words = editWordsOf(lang);
  const [mode, setMode] = useState<ModeName>('change');
  const [pen, chosePen] = useState<Pen>('rectangle');
  const [by, setBy] = useState<RedactBy>('area');
  const [styles, setStyles] = useState<Styles>(DEFAULTS as Styles);
  const [pending, setPending] = useState<Selected | null>(null);
  const fillable = useFillable(pdf, () => setMode('form'));
  const search = useSearch(pdf);
  const arts = useArts(options.acts.flatMap((act) => (act.kind === 'picture' ? [act.file] : [])));
  const writing = useWriting(options, source);
  const restyle = <Kind extends Styled>(kind: Kind, patch: Partial<Styles[Kind]>) =>
    setStyles((old) => ({ ...old, [kind]: { ...old[kind], ...patch } }));
  const selected = ({ page, areas, text }: Selected): MarkAct | RedactAct =>
    mode === 'redact'
      ? { kind: 'redact', source, page, boxes: areas, ...styles.redact }
      : {
          kind: 'mark',
          source,
          page,
          boxes: areas,
          angle: 0,
          text: text.slice(0, MOST_TEXT),
          ...styles.mark,
        };
  return {
    pdf,
    source,
    options,
    lang,
    upload,
    words,
    fillable,
    modes: modesOf(words, fillable),
    mode,
    toMode(next: ModeName) {
      setPending(null);
      setMode(next);
    },
    pen,
    setPen(next: Pen) {
      chosePen(next);
      if (next !== 'ink') restyle('shape', { shape: next });
    },
    by,
    setBy,
    styles,
    restyle,
    pending,
    setPending,
    selected,
    applyPending(hold: Holding<EditOptions>) {
      if (pending) hold.act(added(options, selected(pending)));
      globalThis.getSelection()?.removeAllRanges();
      setPending(null);
    },
    search,
    artOf: (file: string) => arts.get(file) ?? null,
    ...writing,
  };
}

const MOST_TEXT = 20_000;

/** Whether the document has fields; it is told once, when that is known. */
function useFillable(pdf: OpenPdf, tell: () => void): boolean {
  const [fillable, setFillable] = useState(false);
  const told = useRef(tell);
  told.current = tell;
  useEffect(() => {
    let current = true;
    pdf.fillable().then(
      (found) => {
        if (!current || !found) return;
        setFillable(true);
        told.current();
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [pdf]);
  return fillable;
}

type Inks = { ink: string; paper: string } | null;

/** What is being written, from the press on a page to the word that ends it. */
function useWriting(options: EditOptions, source: number) {
  const [written, write] = useState<Written | null>(null);
  const looks = useRef(new Map<string, LineLook>());
  const lookOf = ({ page, box }: Pick<ChangeAct, 'page' | 'box'>) =>
    looks.current.get(lineKey(page, box)) ?? PLAIN;
  return {
    written,
    write,
    lookOf,
    cancel: () => write(null),
    open(at: number) {
      const act = options.acts[at];
      if (act?.kind === 'text') write({ act, at });
      if (act?.kind === 'note') write({ act, at });
      if (act?.kind === 'change') write({ act, at, look: lookOf(act) });
    },
    openLine(line: Line, place: Pick<ChangeAct, 'source' | 'page' | 'box'>, inks: Inks) {
      const known = changeOf(options, place);
      const key = lineKey(place.page, place.box);
      if (!known || !looks.current.has(key))
        looks.current.set(key, { ...(inks ?? PLAIN), font: line.family, bold: line.bold });
      const fresh: ChangeAct = {
        kind: 'change',
        ...place,
        source,
        angle: line.angle,
        was: line.text,
        text: line.text,
        reflow: false,
      };
      const at = known ? options.acts.indexOf(known) : null;
      write({ act: known ?? fresh, at, look: lookOf(place) });
    },
    finish(text: string, shown: Shown<EditOptions>) {
      write(null);
      if (!written) return;
      const next = finished(options, written, text);
      if (next === options) return;
      shown.act(next);
      const { act, at } = written;
      if (act.kind !== 'change' && text.trim() !== '') shown.choose(String(at ?? options.acts.length));
    },
  };
}

/** The options with what was written; empty words take their box away, or leave none. */
export function finished(options: EditOptions, { act, at }: Written, text: string): EditOptions {
  if (act.kind === 'change') return text === act.text ? options : changing(options, { ...act, text });
  if (text.trim() === '') return at === null ? options : removed(options, at);
  const next: TextAct | NoteAct = act.kind === 'text' ? grown({ ...act, text }) : { ...act, text };
  if (at === null) return added(options, next);
  return text === act.text ? options : replaced(options, at, next);
}

/** A box is never lower than its lines. */
export const grown = (act: TextAct): TextAct => {
  const [x, y, width, height] = act.box;
  return { ...act, box: [x, y, width, Math.max(height, heightOf(act, width))] };
};
