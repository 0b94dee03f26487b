import type { ReactNode } from 'react';
import type { Layer } from './drawMark';
import type { Point, View } from './marks';
import type { Spot } from './spot';

/** A page of the document that is shown. */
export type Leaf = { page: number; pages: number; view: View };

/** Something on a page that can be taken hold of; how it looks is drawn by the layers. */
export type Thing = {
  id: string;
  label: string;
  spot: Spot;
  /** `both`: its sides are sized by themselves. */
  sizes: boolean | 'both';
  turns: boolean;
};

/** What stands on a page. `multiply`: what lies below shows through all of it, as it does through `ink`. */
export type Scene = { layers: Layer[]; things: Thing[]; multiply: boolean; ink?: Layer[] };

export const NOTHING: Scene = { layers: [], things: [], multiply: false };

export type Gesture = 'move' | 'size' | 'turn';

/** What a hand draws on a page: a box between two corners, a line, anything, or a place. */
export type Way = 'box' | 'line' | 'free' | 'point';

/** Writes options as one act that can be undone. */
export type Act<O> = (options: O) => void;

/** A page as it is shown: CSS pixels for a point, how its acts are written, and a thing on it chosen. */
export type Shown<O> = { leaf: Leaf; scale: number; act: Act<O>; choose(id: string | null): void };

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
  /** Opens a thing to be written in: it was chosen and is pressed again. */
  open?(id: string, leaf: Leaf): void;
  /** Things stay where they are: the hand does something else. */
  still?: boolean;
  /** Where there is one, a press on a page draws instead of taking hold of things. */
  trace?: Way | null;
  /** The options with what is being drawn; nothing is shown of it where they stay the same. */
  drawn?(options: O, points: readonly Point[], leaf: Leaf): O;
  /** What was drawn is done: by default it is an act. */
  traced?(points: readonly Point[], shown: Shown<O>): void;
  /** What lies over a page besides: text to select, fields to fill. */
  over?(shown: Shown<O>): ReactNode;
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
