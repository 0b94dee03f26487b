import { useEffect, useState } from 'react';
import { uploadedFile } from '../../fields';
import { loadHand } from '../place/hands';
import { type Art, loadArt } from '../place/useArt';
import { wordsIn } from './look';
import type { Look } from './types';

const keyOf = (look: Look): string =>
  look.kind === 'picture'
    ? `${look.file} ${look.clear}`
    : look.kind === 'drawn'
      ? ''
      : `${look.face} ${wordsIn(look)}`;

async function fetched(look: Look): Promise<Art | null> {
  if (look.kind === 'typed' || look.kind === 'dated') await loadHand(look.face, wordsIn(look));
  const file = look.kind === 'picture' ? uploadedFile(look.file) : undefined;
  return look.kind === 'picture' && file ? loadArt(file, look.clear) : null;
}

/** Pictures and faces that looks are drawn with, once they are there: the picture of a look, or null. */
export function useLooks(looks: readonly Look[]): (look: Look) => Art | null {
  const [found, setFound] = useState<ReadonlyMap<string, Art | null>>(new Map());
  const wanted = looks.map(keyOf).join('\n');
  // biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` says all that matters of the looks
  useEffect(() => {
    let current = true;
    for (const look of looks) {
      const key = keyOf(look);
      if (key === '' || found.has(key)) continue;
      fetched(look).then(
        (art) => current && setFound((old) => new Map(old).set(key, art)),
        () => undefined,
      );
    }
    return () => {
      current = false;
    };
  }, [wanted]);
  return (look) => found.get(keyOf(look)) ?? null;
}
