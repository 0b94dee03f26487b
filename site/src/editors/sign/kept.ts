import { rememberUpload, uploadedFile } from '../../fields';
import { loadArt } from '../place/useArt';
import type { KeptLook } from './calls';
import type { Look } from './types';

/** Pixels of the longer side, by turns until the picture is small enough to be kept. */
const SIDES = [1000, 700, 500, 350, 250];
const LARGEST = 190_000;
const PNG = 'data:image/png;base64,';

/** What an account keeps of a look; null for what is not kept. */
export async function keptOf(look: Look): Promise<KeptLook | null> {
  if (look.kind === 'dated') return null;
  if (look.kind !== 'picture') return look;
  const file = uploadedFile(look.file);
  if (!file) return null;
  const art = await loadArt(file, look.clear);
  const data = SIDES.map((side) => pixelsOf(art, side)).find(({ length }) => length <= LARGEST);
  return data ? { kind: 'picture', role: look.role, data } : null;
}

function pixelsOf(art: Awaited<ReturnType<typeof loadArt>>, longest: number): string {
  const canvas = document.createElement('canvas');
  const scale = Math.min(1, longest / Math.max(art.width, art.height));
  canvas.width = Math.max(1, Math.round(art.width * scale));
  canvas.height = Math.max(1, Math.round(art.height * scale));
  canvas.getContext('2d')?.drawImage(art, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL('image/png').slice(PNG.length);
}

/** The picture in base64 as a file. */
export function pictureIn(data: string): File {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  return new File([bytes], 'signature.png', { type: 'image/png' });
}

/** A kept look to be signed with: its picture is uploaded like any other. */
export async function lookOf(kept: KeptLook, upload: (file: File) => Promise<string>): Promise<Look> {
  if (kept.kind !== 'picture') return kept;
  const file = pictureIn(kept.data);
  const key = await upload(file);
  rememberUpload(key, file);
  return { kind: 'picture', role: kept.role, file: key, clear: false };
}
