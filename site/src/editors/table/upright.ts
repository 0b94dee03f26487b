import { useEffect, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { borrow, giveBack } from '../pdf/shared';
import { pagePicture } from '../pdf/render';
import type { Box, Sheet } from './model';

/** A page's picture as its sheet saw it: turned upright, `scale` pixels a point. */
export type Upright = { canvas: HTMLCanvasElement; scale: number; sheet: Sheet };

export type Original = Upright | 'opening' | 'absent' | 'unseen';

/** Pixels of the longer side: enough to read small print in a crop. */
const SIDE = 2400;

/** The page of the file that a sheet was read from. */
export function useUpright(file: ChosenFile | null, sheet: Sheet | undefined): Original {
  const [seen, setSeen] = useState<Original>('opening');
  const blob = file?.blob ?? null;
  const password = file?.password;
  useEffect(() => {
    if (!blob || !sheet) return setSeen('absent');
    const stop = new AbortController();
    setSeen('opening');
    pictureOf({ blob, password, kind: file!.kind }, sheet, stop.signal).then(
      (made) => !stop.signal.aborted && setSeen({ ...turned(made, sheet), sheet }),
      () => !stop.signal.aborted && setSeen('unseen'),
    );
    return () => stop.abort();
  }, [blob, password, sheet, file?.kind]);
  return seen;
}

type Source = { blob: File; password: string | undefined; kind: string };

async function pictureOf({ blob, password, kind }: Source, sheet: Sheet, signal: AbortSignal) {
  if (kind !== 'pdf') return createImageBitmap(blob);
  try {
    const pdf = await borrow(blob, password);
    const density = Math.min(globalThis.devicePixelRatio ?? 1, 3);
    const box = { width: SIDE / density, height: SIDE / density };
    return (await pagePicture(pdf, sheet.page, box, signal)).canvas;
  } finally {
    giveBack(blob, password);
  }
}

function turned(picture: ImageBitmap | HTMLCanvasElement, sheet: Sheet): Omit<Upright, 'sheet'> {
  const shrink = Math.min(1, SIDE / Math.max(picture.width, picture.height));
  const [width, height] = [picture.width * shrink, picture.height * shrink];
  const lying = sheet.turned % 180 !== 0;
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(lying ? height : width));
  canvas.height = Math.max(1, Math.round(lying ? width : height));
  const pen = canvas.getContext('2d')!;
  pen.translate(canvas.width / 2, canvas.height / 2);
  pen.rotate((sheet.turned * Math.PI) / 180);
  pen.drawImage(picture, -width / 2, -height / 2, width, height);
  return { canvas, scale: canvas.width / sheet.width };
}

/** Where a point of the sheet lies in its upright picture, in points. */
export function seenAt({ left, top, lean }: Sheet, x: number, y: number): [number, number] {
  const [sine, cosine] = [Math.sin(lean), Math.cos(lean)];
  return [(x - left) * cosine - (y - top) * sine, (x - left) * sine + (y - top) * cosine];
}

/** … and where a point of the picture lies in the sheet. */
export function sheetAt({ left, top, lean }: Sheet, x: number, y: number): [number, number] {
  const [sine, cosine] = [Math.sin(lean), Math.cos(lean)];
  return [x * cosine + y * sine + left, y * cosine - x * sine + top];
}

export function cornersOf(sheet: Sheet, [left, top, right, bottom]: Box): [number, number][] {
  return [
    seenAt(sheet, left, top),
    seenAt(sheet, right, top),
    seenAt(sheet, right, bottom),
    seenAt(sheet, left, bottom),
  ];
}

/** Points around a cell that its crop shows, too: letters reach over edges. */
const AROUND = 3;

/** Draws a part of the sheet, straight, as large as fits `most` CSS pixels. */
export function drawCrop(canvas: HTMLCanvasElement, seen: Upright, box: Box, most: [number, number]): void {
  const [left, top, right, bottom] = [box[0] - AROUND, box[1] - AROUND, box[2] + AROUND, box[3] + AROUND];
  const shown = Math.min(most[0] / (right - left), most[1] / (bottom - top), 4);
  const density = globalThis.devicePixelRatio ?? 1;
  canvas.width = Math.max(1, Math.round((right - left) * shown * density));
  canvas.height = Math.max(1, Math.round((bottom - top) * shown * density));
  canvas.style.width = `${(right - left) * shown}px`;
  const pen = canvas.getContext('2d')!;
  const { sheet } = seen;
  pen.scale(shown * density, shown * density);
  pen.translate(sheet.left - left, sheet.top - top);
  pen.rotate(-sheet.lean);
  pen.scale(1 / seen.scale, 1 / seen.scale);
  pen.drawImage(seen.canvas, 0, 0);
}
