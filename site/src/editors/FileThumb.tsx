import { useEffect, useState } from 'react';
import type { ChosenFile } from '../workbench/contract';

/** A small picture of the file's first page, or its type where there is none. */
export function FileThumb({ file }: { file: ChosenFile }) {
  const own = useOwnPicture(file);
  const source = file.thumbnail ?? own;
  return (
    <span className="file-thumb" aria-hidden="true">
      {source ? <img src={source} alt="" draggable={false} /> : typeShown(file)}
    </span>
  );
}

/** The type as people name it: a locked package does not tell which it is, so its name does. */
export function typeShown({ kind, name }: Pick<ChosenFile, 'kind' | 'name'>): string {
  return (kind === 'ooxml_locked' ? (name.split('.').at(-1) ?? '') : kind).toUpperCase();
}

/** Pictures are their own thumbnails. */
export function useOwnPicture({ blob, kind }: ChosenFile): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!blob || !['jpg', 'png', 'webp', 'gif', 'bmp', 'svg'].includes(kind)) return;
    const made = URL.createObjectURL(blob);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [blob, kind]);
  return url;
}
