import { Image } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { fill } from '../words';
import type { Shown } from '../shown';
import { useObjectUrl } from './Picture';
import type { PreviewWords } from './words';

type GalleryProps = { results: Shown[]; onChoose(shown: Shown): void; t: PreviewWords };

/** Pictures side by side; each is fetched when it comes into sight. */
export function Gallery({ results, onChoose, t }: GalleryProps) {
  return (
    <ul className="gallery" data-testid="gallery">
      {results.map((shown) => (
        <li key={shown.output.key}>
          <button
            type="button"
            className="gallery-face"
            aria-label={fill(t.enlarge, { name: shown.output.name })}
            onClick={() => onChoose(shown)}
            data-testid="gallery-picture"
          >
            <Face shown={shown} />
          </button>
        </li>
      ))}
    </ul>
  );
}

function Face({ shown }: { shown: Shown }) {
  const place = useRef<HTMLSpanElement>(null);
  const [blob, setBlob] = useState<Blob | null>(null);
  useEffect(() => {
    const target = place.current;
    if (!target || !shown.atOnce) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      shown.fetch().then(setBlob, () => undefined);
    });
    observer.observe(target);
    return () => observer.disconnect();
  }, [shown]);
  if (blob) return <Drawn blob={blob} />;
  return (
    <span ref={place}>
      <Image size={28} strokeWidth={1.25} aria-hidden="true" />
    </span>
  );
}

const Drawn = ({ blob }: { blob: Blob }) => (
  <img src={useObjectUrl(blob)} alt="" data-testid="gallery-drawn" />
);
