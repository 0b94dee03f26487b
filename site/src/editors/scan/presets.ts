import type { Look } from './scanner';

/** What a preset stands for; tests/samples/scanner.json holds it to cluster/tools/pdf_to_scan.py. */
export type Preset = Omit<Look, 'vary' | 'seed'> & { dpi: number; quality: number };

export type ScanOptions = Preset & {
  preset: 'light' | 'standard' | 'worn' | 'custom';
  text: boolean;
  vary: boolean;
  seed: number;
};

const STANDARD: Preset = {
  grey: false,
  tone: 15,
  tilt: 0.7,
  noise: 20,
  blur: 25,
  brightness: 0,
  contrast: -4,
  border: 15,
  dpi: 150,
  quality: 65,
};

export const PRESETS: Record<Exclude<ScanOptions['preset'], 'custom'>, Preset> = {
  light: { ...STANDARD, tone: 6, tilt: 0.3, noise: 10, blur: 15, contrast: -2, border: 0, quality: 70 },
  standard: STANDARD,
  worn: {
    ...STANDARD,
    grey: true,
    tone: 0,
    tilt: 1.5,
    noise: 55,
    blur: 40,
    brightness: 4,
    contrast: 30,
    border: 60,
    quality: 60,
  },
};

export const DEFAULTS: ScanOptions = { ...STANDARD, preset: 'standard', text: false, vary: true, seed: 1 };

/** With the values that the preset stands for. */
export const settled = (options: ScanOptions): ScanOptions =>
  options.preset === 'custom' ? options : { ...options, ...PRESETS[options.preset] };

/** Bytes that a page has at most as a preset makes it. */
const MOST_BYTES = 300_000;
export const mostBytes = ({ preset }: ScanOptions): number | null =>
  preset === 'custom' ? null : MOST_BYTES;
