import type { Box, Sheet } from '../table/model';
import { sheetAt } from '../table/upright';

/** Lines as the server tells them beside a result (cluster/engines/layout/data.py), and what people do to them. */
export type Line = {
  text: string;
  /** How sure its reader was, 0 to 1. */
  score: number;
  /** Corners in pixels of the upright picture, clockwise from where reading begins. */
  box: readonly (readonly [number, number])[];
  /** What somebody corrected it to; nothing strikes the line out. */
  said?: string;
};

export type Page = {
  width: number;
  height: number;
  turned: Sheet['turned'];
  paragraphs: { lines: Line[] }[];
  /** Where something is written that nobody could read. */
  unread?: Line[];
};

export type Lines = { pages: Page[] };

/** A line's place: its page, its paragraph (after the last one: what was not read), and its number there. */
export type Place = { page: number; paragraph: number; line: number };

/** Less sure than this is doubtful: SURE of cluster/engines/layout/line.py. */
const SURE = 0.9;

export const wordsIn = ({ text, said }: Line): string => said ?? text;

export const isDoubtful = ({ score, said }: Line): boolean => score < SURE && said === undefined;

/** Lines by paragraphs; what was not read comes last. */
export const partsOf = ({ paragraphs, unread = [] }: Page): Line[][] => [
  ...paragraphs.map(({ lines }) => lines),
  ...(unread.length > 0 ? [unread] : []),
];

export const lineAt = ({ pages }: Lines, { page, paragraph, line }: Place): Line | undefined =>
  pages[page] && partsOf(pages[page])[paragraph]?.[line];

export const placesOf = ({ pages }: Lines): Place[] =>
  pages.flatMap((each, page) =>
    partsOf(each).flatMap((lines, paragraph) => lines.map((_, line) => ({ page, paragraph, line }))),
  );

export const doubtsIn = (lines: Lines): Place[] =>
  placesOf(lines).filter((place) => isDoubtful(lineAt(lines, place)!));

export const keyOf = ({ page, paragraph, line }: Place): string => `${page}.${paragraph}.${line}`;

/** The lines with one of them said to be something; the same ones where it says so already. */
export function say(lines: Lines, place: Place, said: string): Lines {
  const before = lineAt(lines, place);
  if (!before || before.said === said) return lines;
  const line = { ...before, said };
  const page = lines.pages[place.page]!;
  const put = (own: Line[]) => own.with(place.line, line);
  const next =
    place.paragraph < page.paragraphs.length
      ? {
          ...page,
          paragraphs: page.paragraphs.with(place.paragraph, {
            ...page.paragraphs[place.paragraph],
            lines: put(page.paragraphs[place.paragraph]!.lines),
          }),
        }
      : { ...page, unread: put(page.unread!) };
  return { ...lines, pages: lines.pages.with(place.page, next) };
}

export const sheetOf = ({ width, height, turned }: Page, page: number): Sheet => ({
  page: page + 1,
  width,
  height,
  turned,
  left: 0,
  top: 0,
  lean: 0,
});

/** Steeper than this (radians) a line runs down, and is shown as it stands. */
const STEEP = Math.PI / 4;

/** The picture as the line lies straight in it, and the line's place there: a photograph's lines lean each its own way. */
export function straightened(sheet: Sheet, { box }: Line): { sheet: Sheet; box: Box } {
  const [[x0, y0], [x1, y1]] = [box[0]!, box[1]!];
  const lean = Math.atan2(y1 - y0, x1 - x0);
  const straight = Math.abs(lean) < STEEP ? { ...sheet, lean } : sheet;
  const corners = box.map(([x, y]) => sheetAt(straight, x, y));
  const [across, down] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  return {
    sheet: straight,
    box: [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)],
  };
}
