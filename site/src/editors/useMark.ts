import { useEffect, useMemo, useState } from 'react';
import { uploadedFile } from '../fields';
import type { Family } from './advances';
import { type Drawable, pictureMark, textMark } from './drawMark';
import { filled, type Layout, linesOf, type View } from './marks';

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

/** The mark of these options for one page, or null while there is nothing to draw. */
export function useMark(
  { mark }: MarkOptions,
  view: View | null,
  values: Record<string, string>,
): Drawable | null {
  const image = useImage(mark.kind === 'image' ? mark.file : '');
  const key = JSON.stringify([mark, values, view]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: key stands for the objects that are new at every render
  return useMemo(() => {
    if (!view) return null;
    if (mark.kind === 'image') return image && pictureMark(image, mark.width, view);
    if (mark.text.trim() === '' || !(mark.size > 0)) return null;
    const lines = linesOf(filled(mark.text, values));
    return textMark({ lines, size: mark.size, family: mark.font, bold: mark.bold, colour: mark.colour });
  }, [key, image]);
}

function useImage(storageKey: string): ImageBitmap | null {
  const [image, setImage] = useState<ImageBitmap | null>(null);
  const file = storageKey === '' ? undefined : uploadedFile(storageKey);
  useEffect(() => {
    setImage(null);
    if (!file) return;
    let current = true;
    createImageBitmap(file).then(
      (bitmap) => current && setImage(bitmap),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [file]);
  return image;
}
