import { useEffect, useState } from 'react';
import { uploadedFile } from '../../fields/uploads';
import type { Art } from '../place/useArt';

/** The uploaded pictures of some storage keys, as far as they are there. */
export function useArts(keys: readonly string[]): ReadonlyMap<string, Art> {
  const [arts, setArts] = useState<ReadonlyMap<string, Art>>(new Map());
  const wanted = [...new Set(keys)].toSorted().join('\n');
  useEffect(() => {
    let current = true;
    for (const key of wanted.split('\n')) {
      const file = key === '' ? undefined : uploadedFile(key);
      if (!file) continue;
      createImageBitmap(file).then(
        (bitmap) => current && setArts((old) => (old.has(key) ? old : new Map(old).set(key, bitmap))),
        () => undefined,
      );
    }
    return () => {
      current = false;
    };
  }, [wanted]);
  return arts;
}
