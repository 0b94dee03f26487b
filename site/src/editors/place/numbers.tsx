import { useEffect } from 'react';
import { parsePages } from '../../ranges';
import type { ChosenFile, EditorProps, Json, Lang } from '../../workbench/contract';
import { PdfStage } from '../PdfStage';
import { wordsOf } from '../words';
import type { Family } from './advances';
import { textMark } from './drawMark';
import { placed, type View } from './marks';
import { type Counting, mirrored, numberOf, type PageNumber, type Style, sectionsOf, told } from './numerals';
import { type Leaf, localDate, MM, NOTHING, type Plan, rounded, stemOf } from './scene';
import type { Spot } from './spot';
import { Surface } from './Surface';
import { placeWordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';

export type NumberOptions = {
  format: keyof typeof FORMATS | 'own';
  pattern: string;
  place: string;
  margin_x: number;
  margin_y: number;
  font: Family;
  size: number;
  bold: boolean;
  colour: string;
  start: number;
  pages: string;
  skip_cover: boolean;
  count_all: boolean;
  facing: boolean;
  digits: number;
  prefix: string;
  suffix: string;
  sections: string;
  across: boolean;
  counts: (number | null)[];
};

const FORMATS = {
  n: '{n}',
  of: '{n}/{total}',
  zh: '第 {n} 页 共 {total} 页',
  chinese: '{n}',
  roman: '{n}',
  ROMAN: '{n}',
  en: 'Page {n} of {total}',
  dashes: '- {n} -',
};
const STYLES: Partial<Record<NumberOptions['format'], Style>> = { chinese: 'zh', roman: 'i', ROMAN: 'I' };

/** The pages with their numbers, just as the server will write them; a number can be dragged to another place. */
export default function Numbers({ files, options, onChange, lang }: EditorProps) {
  const chosen = options as unknown as NumberOptions;
  const change = (next: NumberOptions) => onChange(next as unknown as Json);
  useCounts(files, chosen, change);
  return (
    <PdfStage files={files} label={placeWordsOf(lang).numbersLabel} words={wordsOf(lang)}>
      {({ pdf, file, index }) => (
        <Surface pdf={pdf} options={chosen} onChange={change} plan={planOf(file, index, lang)} lang={lang} />
      )}
    </PdfStage>
  );
}

/** Tells the server how many pages each file numbers, where they are counted on from file to file. */
function useCounts(files: ChosenFile[], options: NumberOptions, change: (options: NumberOptions) => void) {
  const counts = options.across
    ? files.map(({ pages }) => (pages === null ? null : countOf(options, pages)))
    : [];
  const wanted = JSON.stringify(counts);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other numbers are news
  useEffect(() => {
    if (JSON.stringify(options.counts) !== wanted) change({ ...options, counts });
  }, [wanted, options.counts]);
}

/** The pages that get a number, ascending; none while the range is wrong. */
export function numbered({ pages, skip_cover }: NumberOptions, total: number): number[] {
  const found = parsePages(pages, total);
  if (!found.ok) return [];
  const chosen = [...new Set(found.pages)].toSorted((a, b) => a - b);
  return skip_cover ? chosen.filter((page) => page !== 1) : chosen;
}

const countOf = (options: NumberOptions, total: number) =>
  options.count_all ? total : numbered(options, total).length;

const sum = (numbers: (number | null)[]) =>
  numbers.reduce<number>((total, number) => total + (number ?? 0), 0);

function countingOf(options: NumberOptions, index: number): Counting | null {
  const sections = sectionsOf(options.sections);
  const before = options.across ? sum(options.counts.slice(0, index)) : 0;
  return (
    sections && {
      first: options.start + before,
      style: STYLES[options.format] ?? '1',
      digits: options.digits,
      everything: options.count_all,
      sections,
    }
  );
}

export function planOf(file: Pick<ChosenFile, 'name'>, index: number, lang: Lang): Plan<NumberOptions> {
  const words = placeWordsOf(lang);
  const numberFor = (options: NumberOptions, leaf: Leaf) => {
    const counting = countingOf(options, index);
    return counting && numberOf(counting, numbered(options, leaf.pages), leaf.pages, leaf.page);
  };
  return {
    scene(options, leaf) {
      const number = numberFor(options, leaf);
      const text = number && textOf(options, number, file.name, leaf);
      if (!text?.trim() || !(options.size > 0)) return NOTHING;
      const { size, font: family, bold, colour } = options;
      const mark = textMark({ lines: [text], size, family, bold, colour });
      const margins: [number, number] = [options.margin_x * MM, options.margin_y * MM];
      const centre = placed(leaf.view, placeOn(options, leaf.page), margins, mark);
      const spot = { ...centre, width: mark.width, height: mark.height, angle: 0 };
      return {
        layers: [{ mark, centres: [centre], angle: 0, opacity: 100 }],
        things: [{ id: 'number', label: words.number, spot, sizes: true, turns: false }],
        multiply: false,
      };
    },
    put(options, _, { spot, was, gesture }, leaf) {
      if (gesture === 'size') {
        const size = rounded((options.size * spot.width) / was.width, 1);
        return { ...options, size: Math.min(400, Math.max(4, size)) };
      }
      return { ...options, ...nearest(spot, leaf.view, options, isMirrored(options, leaf.page)) };
    },
    hint(options, leaf) {
      if (sectionsOf(options.sections) === null) return words.badSections;
      return numberFor(options, leaf) ? words.numberHint : words.notNumbered;
    },
  };
}

const isMirrored = ({ facing }: NumberOptions, page: number) => facing && page % 2 === 0;
const placeOn = (options: NumberOptions, page: number) =>
  isMirrored(options, page) ? mirrored(options.place) : options.place;

/** As the server writes it. */
function textOf(options: NumberOptions, number: PageNumber, name: string, leaf: Leaf): string {
  const pattern = options.format === 'own' ? options.pattern : FORMATS[options.format];
  return told(options.prefix + pattern + options.suffix, number, {
    date: localDate(),
    file: stemOf(name),
    pages: String(leaf.pages),
    page: String(leaf.page),
  });
}

type Margins = Pick<NumberOptions, 'place' | 'margin_x' | 'margin_y'>;

/** The one of nine places that a number was dragged to, and the margins there; what a place does not use stays. */
export function nearest({ x, y, width, height }: Spot, view: View, now: Margins, mirror: boolean): Margins {
  const column = x < view.width / 3 ? 'left' : x > (view.width * 2) / 3 ? 'right' : '';
  const row = y < view.height / 3 ? 'bottom' : y > (view.height * 2) / 3 ? 'top' : '';
  const place = [row, column].filter(Boolean).join('-') || 'centre';
  const mm = (points: number) => Math.min(500, Math.max(0, rounded(points / MM, 1)));
  const across = column === 'left' ? x - width / 2 : view.width - x - width / 2;
  const along = row === 'bottom' ? y - height / 2 : view.height - y - height / 2;
  return {
    place: mirror ? mirrored(place) : place,
    margin_x: column ? mm(across) : now.margin_x,
    margin_y: row ? mm(along) : now.margin_y,
  };
}
