import { parsePages } from '../../ranges';
import type { ChosenFile, EditorProps, Json, Lang } from '../../workbench/contract';
import { PdfStage } from '../PdfStage';
import { wordsOf } from '../words';
import type { Family } from './advances';
import { type Drawable, pictureMark, textMark } from './drawMark';
import { centresOf, filled, type Layout, linesOf, type View } from './marks';
import { fraction, type Leaf, localDate, NOTHING, type Plan, rounded, stemOf } from './scene';
import { Surface } from './Surface';
import { type Art, useArt } from './useArt';
import { placeWordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';

export type MarkOptions = {
  mark:
    | { kind: 'text'; text: string; font: Family; size: number; bold: boolean; colour: string }
    | { kind: 'image'; file: string; width: number };
  layout: Layout;
  angle: number;
  opacity: number;
  layer: 'above' | 'below';
  pages: string;
};

/** The pages with the watermark on them, just as the server will draw it; the mark can be put anywhere. */
export default function Watermark({ files, options, onChange, lang }: EditorProps) {
  const words = wordsOf(lang);
  const chosen = options as unknown as MarkOptions;
  const art = useArt(chosen.mark.kind === 'image' ? chosen.mark.file : '');
  return (
    <PdfStage files={files} label={words.previewLabel} words={words}>
      {({ pdf, file }) => (
        <Surface
          pdf={pdf}
          options={chosen}
          onChange={(next) => onChange(next as unknown as Json)}
          plan={planOf(file, art, lang)}
          lang={lang}
        />
      )}
    </PdfStage>
  );
}

export function planOf(file: Pick<ChosenFile, 'name'>, art: Art | null, lang: Lang): Plan<MarkOptions> {
  const words = wordsOf(lang);
  return {
    scene(options, leaf) {
      const mark = isMarked(options, leaf) ? markOf(options, leaf, file.name, art) : null;
      if (!mark) return NOTHING;
      const { angle, opacity, layout, layer } = options;
      const centres = centresOf(layout, leaf.view, mark, angle);
      const [centre] = layout.how === 'tiled' ? [] : centres;
      const spot = centre && { ...centre, width: mark.width, height: mark.height, angle };
      return {
        layers: [{ mark, centres, angle, opacity }],
        things: spot
          ? [{ id: 'mark', label: placeWordsOf(lang).watermark, spot, sizes: true, turns: true }]
          : [],
        multiply: layer === 'below',
      };
    },
    put(options, _, { spot, was, gesture }, { view }) {
      if (gesture === 'turn') return { ...options, angle: spot.angle };
      const stays = gesture === 'size' && options.layout.how === 'place';
      const layout: Layout = {
        how: 'point',
        x: fraction(spot.x / view.width),
        y: fraction(1 - spot.y / view.height),
      };
      const mark = gesture === 'size' ? grown(options.mark, spot.width / was.width) : options.mark;
      return { ...options, mark, layout: stays ? options.layout : layout };
    },
    hint(options, leaf) {
      if (!isMarked(options, leaf)) return words.notMarked;
      return options.layout.how === 'tiled' ? words.tiledHint : words.canvasHint;
    },
  };
}

function isMarked({ pages }: MarkOptions, leaf: Leaf): boolean {
  const found = parsePages(pages, leaf.pages);
  return found.ok && found.pages.includes(leaf.page);
}

const within = (value: number, least: number, most: number) => Math.min(most, Math.max(least, value));

const grown = (mark: MarkOptions['mark'], factor: number): MarkOptions['mark'] =>
  mark.kind === 'image'
    ? { ...mark, width: within(rounded(mark.width * factor, 1), 1, 100) }
    : { ...mark, size: within(rounded(mark.size * factor, 1), 4, 400) };

/** The mark of these options for one page, or null while there is nothing to draw. */
function markOf({ mark }: MarkOptions, leaf: Leaf, name: string, art: Art | null): Drawable | null {
  if (mark.kind === 'image') return art && pictureMark(art, mark.width, leaf.view as View);
  if (mark.text.trim() === '' || !(mark.size > 0)) return null;
  const values = {
    date: localDate(),
    file: stemOf(name),
    page: String(leaf.page),
    pages: String(leaf.pages),
  };
  const lines = linesOf(filled(mark.text, values));
  return textMark({ lines, size: mark.size, family: mark.font, bold: mark.bold, colour: mark.colour });
}
