import type { Layer } from './drawMark';
import type { View } from './marks';
import type { Spot } from './spot';

/** A page of the document that is shown. */
export type Leaf = { page: number; pages: number; view: View };

/** Something on a page that can be taken hold of; how it looks is drawn by the layers. */
export type Thing = { id: string; label: string; spot: Spot; sizes: boolean; turns: boolean };

/** What stands on a page. `multiply`: what lies below shows through all of it. */
export type Scene = { layers: Layer[]; things: Thing[]; multiply: boolean };

export const NOTHING: Scene = { layers: [], things: [], multiply: false };

export type Gesture = 'move' | 'size' | 'turn';

/** A tool's options as things on pages, and things that were put elsewhere as options. All of it is pure. */
export type Plan<O> = {
  scene(options: O, leaf: Leaf): Scene;
  /** The options with a thing put where a hand put it; `was` is where it stood. */
  put(options: O, id: string, put: { spot: Spot; was: Spot; gesture: Gesture }, leaf: Leaf): O;
  hint(options: O, leaf: Leaf): string;
  add?(options: O, leaf: Leaf): O;
  remove?(options: O, id: string): O;
  /** Put a copy of a thing on other pages as well. */
  copy?(options: O, id: string, pages: string, leaf: Leaf): O;
};

export const rounded = (value: number, digits: number): number => {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
};

/** A share of a page's side, from 0 to 1. */
export const fraction = (value: number): number => rounded(Math.min(1, Math.max(0, value)), 4);

export const MM = 72 / 25.4;

/** As the server writes it: 2026-01-31, of this time zone. */
export function localDate(): string {
  const now = new Date();
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

export const stemOf = (name: string): string => name.replace(/\.[^.]+$/, '');
