import { useEffect, useState } from 'react';
import { uploadedFile } from '../../fields';
import { withoutWhite } from './white';

/** Pixels of the longer side that a preview needs. */
const LONGEST = 1500;

export type Art = HTMLCanvasElement | ImageBitmap;

/** The uploaded picture of a storage key as it will be drawn, without its white paper if it is asked for. */
export function useArt(storageKey: string, clear = false): Art | null {
  const [art, setArt] = useState<Art | null>(null);
  const file = storageKey === '' ? undefined : uploadedFile(storageKey);
  useEffect(() => {
    setArt(null);
    if (!file) return;
    let current = true;
    loadArt(file, clear).then(
      (found) => current && setArt(found),
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [file, clear]);
  return art;
}

/** A picture as it will be drawn. */
export async function loadArt(file: Blob, clear: boolean): Promise<Art> {
  const bitmap = await createImageBitmap(file);
  return clear ? cleared(bitmap) : bitmap;
}

function cleared(bitmap: ImageBitmap): Art {
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, LONGEST / Math.max(bitmap.width, bitmap.height));
  canvas.width = Math.max(1, Math.round(bitmap.width * scale));
  canvas.height = Math.max(1, Math.round(bitmap.height * scale));
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (!context) return bitmap;
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  const { x, y, width, height } = withoutWhite(pixels);
  canvas.width = width;
  canvas.height = height;
  context.putImageData(pixels, -x, -y);
  return canvas;
}
