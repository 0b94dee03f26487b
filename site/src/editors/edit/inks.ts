import type { Area } from '../pdf/text';

type Pixels = { data: Uint8ClampedArray; width: number; height: number };
type Rgb = [red: number, green: number, blue: number];

const hex = (colour: Rgb) => `#${colour.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
const apart = (a: Rgb, b: Rgb) => Math.abs(a[0] - b[0]) + Math.abs(a[1] - b[1]) + Math.abs(a[2] - b[2]);

/** The colour most pixels have, and the one farthest from it that is not rare: paper and ink. */
export function inksIn({ data, width, height }: Pixels): { paper: string; ink: string } {
  const counts = new Map<number, { colour: Rgb; count: number }>();
  for (let at = 0; at < width * height * 4; at += 4) {
    const colour: Rgb = [data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0];
    const key = (colour[0] >> 4) * 256 + (colour[1] >> 4) * 16 + (colour[2] >> 4);
    const known = counts.get(key);
    if (known) known.count += 1;
    else counts.set(key, { colour, count: 1 });
  }
  const found = [...counts.values()].toSorted((a, b) => b.count - a.count);
  const paper = found[0]?.colour ?? [255, 255, 255];
  const enough = Math.max(2, (width * height) / 400);
  const inks = found.filter(({ count }) => count >= enough);
  const ink = inks.reduce<Rgb>(
    (best, { colour }) => (apart(colour, paper) > apart(best, paper) ? colour : best),
    paper,
  );
  return { paper: hex(paper), ink: apart(ink, paper) < 60 ? '#000000' : hex(ink) };
}

/** Paper and ink of a place on a page that is drawn, `scale` pixels for a point. */
export function inksAt(canvas: HTMLCanvasElement, [x, y, width, height]: Area, scale: number) {
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const wide = Math.max(1, Math.round(width * scale));
  const tall = Math.max(1, Math.round(height * scale));
  return context && inksIn(context.getImageData(Math.round(x * scale), Math.round(y * scale), wide, tall));
}
