import { useEffect, useMemo, useState } from 'react';
import { type Piece, textOf } from '../pdf/text';
import type { Shown } from '../place/scene';
import { TextLayer } from '../place/TextLayer';
import { wordsOf } from '../words';
import { added, changeOf, type EditOptions, filledIn, filling } from './acts';
import type { Desk } from './useDesk';
import { Fields } from './Fields';
import { inksAt } from './inks';
import { Lines } from './Lines';
import { type Line, linesOf } from './lines';
import { useLocked } from './locked';
import { Writing } from './Writing';

type Props = { desk: Desk; shown: Shown<EditOptions> };

/** What lies over a page in the mode that is on, and what is being written on it. */
export function Over({ desk, shown }: Props) {
  const { mode, by, written, source } = desk;
  const { page } = shown.leaf;
  const reads = mode === 'mark' || (mode === 'redact' && by === 'text');
  const mine = written?.act.page === page && written.act.source === source ? written : null;
  return (
    <>
      {mode === 'change' && <PageLines desk={desk} shown={shown} />}
      {reads && <PageText desk={desk} shown={shown} />}
      {desk.fillable && (mode === 'form' || mode === 'select') && <PageFields desk={desk} shown={shown} />}
      {mine && (
        <Writing
          key={`${mine.act.kind}${mine.at}`}
          written={mine}
          scale={shown.scale}
          onDone={(text) => desk.finish(text, shown)}
          onCancel={desk.cancel}
          words={desk.words}
        />
      )}
    </>
  );
}

const NO_PIECES: readonly Piece[] = [];

/** The page's text; null until it is read. */
function usePieces({ pdf }: Desk, page: number): readonly Piece[] | null {
  const [pieces, setPieces] = useState<readonly Piece[] | null>(null);
  useEffect(() => {
    let current = true;
    setPieces(null);
    textOf(pdf, page).then(
      (found) => current && setPieces(found),
      () => current && setPieces(NO_PIECES),
    );
    return () => {
      current = false;
    };
  }, [pdf, page]);
  return pieces;
}

function PageLines({ desk, shown: { leaf, scale } }: Props) {
  const { options, source, words } = desk;
  const pieces = usePieces(desk, leaf.page);
  const lines = useMemo(() => linesOf(pieces ?? NO_PIECES), [pieces]);
  const lockedBy = useLocked(desk.pdf, leaf.page, lines);
  if (!pieces) return null;
  const placeOf = ({ box }: Line) => ({ source, page: leaf.page, box });
  if (lines.length === 0) return <p className="over-empty">{words.hints.noText}</p>;
  return (
    <Lines
      lines={lines}
      scale={scale}
      lockedBy={lockedBy}
      isChanged={(line) => changeOf(options, placeOf(line))?.text ?? null}
      onOpen={(line, button) => {
        const canvas = button
          .closest('.canvas-page')
          ?.querySelector<HTMLCanvasElement>('.page-picture canvas');
        const inks = canvas ? inksAt(canvas, line.box, canvas.width / leaf.view.width) : null;
        desk.openLine(line, placeOf(line), inks);
      }}
      words={words}
    />
  );
}

function PageText({ desk, shown }: Props) {
  const { leaf, scale } = shown;
  const pieces = usePieces(desk, leaf.page);
  if (!pieces) return null;
  if (pieces.length === 0) return <p className="over-empty">{desk.words.hints.noText}</p>;
  return (
    <TextLayer
      pieces={pieces}
      view={leaf.view}
      scale={scale}
      label={desk.words.textLayer(wordsOf(desk.lang).page(leaf.page))}
      onPending={(areas, text) => desk.setPending(areas ? { page: leaf.page, areas, text } : null)}
      onSelect={(areas, text) => {
        shown.act(added(desk.options, desk.selected({ page: leaf.page, areas, text })));
        globalThis.getSelection()?.removeAllRanges();
      }}
    />
  );
}

function PageFields({ desk, shown: { leaf, scale, act } }: Props) {
  const { options, source, pdf, words } = desk;
  return (
    <Fields
      pdf={pdf}
      page={leaf.page}
      scale={scale}
      valueIn={(field) => filledIn(options, source, field.name) ?? field.value}
      onFill={(field, value) => act(filling(options, { source, field: field.name, value }, field.value))}
      words={words}
    />
  );
}
