/**
 * Where a mark lands, as cluster/engines/marks/place.py states it: visible points (1/72 inch on the page
 * as shown), origin at the lower left corner, y upwards, angles counter-clockwise.
 */

export type View = { width: number; height: number };
export type Point = { x: number; y: number };
export type Box = { width: number; height: number };

export type Layout =
  | { how: 'tiled'; gap_x: number; gap_y: number }
  | { how: 'place'; place: string; margin: number }
  /** Fractions of the page from its upper left corner. */
  | { how: 'point'; x: number; y: number };

/** Line pitch and the depth of the baseline below the top of its line, in ems. */
export const LEADING = 1.2;
export const ASCENT = 0.98;
const MOST_TILES = 8000;

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** The upright box around one turned by `angle`. */
export function cover({ width, height }: Box, angle: number): Box {
  const cos = Math.abs(Math.cos(radians(angle)));
  const sin = Math.abs(Math.sin(radians(angle)));
  return { width: width * cos + height * sin, height: width * sin + height * cos };
}

export function centresOf(layout: Layout, view: View, mark: Box, angle: number): Point[] {
  switch (layout.how) {
    case 'tiled':
      return tiled(view, mark, [layout.gap_x, layout.gap_y], angle);
    case 'place':
      return [placed(view, layout.place, [layout.margin, layout.margin], cover(mark, angle))];
    case 'point':
      return [{ x: layout.x * view.width, y: view.height - layout.y * view.height }];
  }
}

export function placed(view: View, place: string, [across, along]: [number, number], box: Box): Point {
  let [x, y] = [view.width / 2, view.height / 2];
  if (place.endsWith('left')) x = across + box.width / 2;
  else if (place.endsWith('right')) x = view.width - across - box.width / 2;
  if (place.startsWith('bottom')) y = along + box.height / 2;
  else if (place.startsWith('top')) y = view.height - along - box.height / 2;
  return { x, y };
}

export function tiled(view: View, mark: Box, gaps: [number, number], angle: number): Point[] {
  const [dx, dy] = steps(view, mark, gaps);
  const [cos, sin] = [Math.cos(radians(angle)), Math.sin(radians(angle))];
  const own = cover(mark, angle);
  const reach = { x: own.width / 2, y: own.height / 2 };
  const page = cover(view, angle);
  const columns = Math.ceil((page.width / 2 + reach.x + reach.y) / dx) + 1;
  const rows = Math.ceil((page.height / 2 + reach.x + reach.y) / dy);
  const centres: Point[] = [];
  for (let row = rows; row >= -rows; row -= 1) {
    for (let column = -columns; column <= columns; column += 1) {
      const u = (column + Math.abs(row % 2) / 2) * dx;
      const v = row * dy;
      const x = view.width / 2 + u * cos - v * sin;
      const y = view.height / 2 + u * sin + v * cos;
      if (x > -reach.x && x < view.width + reach.x && y > -reach.y && y < view.height + reach.y) {
        centres.push({ x, y });
      }
    }
  }
  return centres;
}

function steps(view: View, mark: Box, [gapX, gapY]: [number, number]): [number, number] {
  const dx = Math.max(mark.width + gapX, 1);
  const dy = Math.max(mark.height + gapY, 1);
  const excess = Math.sqrt(Math.max(1, (view.width ** 2 + view.height ** 2) / (dx * dy) / MOST_TILES));
  return [dx * excess, dy * excess];
}

/** `{name}` replaced by its value; unknown names stay as written. */
export const filled = (text: string, values: Record<string, string>): string =>
  text.replace(/\{(\w+)\}/g, (written, name: string) => {
    const known = name.toLowerCase();
    return Object.hasOwn(values, known) ? (values[known] ?? written) : written;
  });

/** As Python's splitlines: a line break at the end begins no further line. */
export const linesOf = (text: string): string[] => text.replace(/(\r\n|\r|\n)$/, '').split(/\r\n|\r|\n/);
