import { useEffect, useMemo, useRef, useState } from 'react';
import { useViewport } from './pages';
import type { PreviewWords } from './words';
import { fitIn, scaleOf, type Size, type Zoom } from './zoom';
import { ZoomBar } from './ZoomBar';
import { Empty } from './Opened';

const MARGIN = 16;

export function useObjectUrl(blob: Blob): string {
  const url = useMemo(() => URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return url;
}

/** One picture with its zoom; 100 % is a pixel for a pixel. */
export function Picture({ blob, name, t }: { blob: Blob; name: string; t: PreviewWords }) {
  const url = useObjectUrl(blob);
  const room = useRef<HTMLDivElement>(null);
  const { width, height } = useViewport(room);
  const [size, setSize] = useState<Size | 'failed' | null>(null);
  const [zoom, setZoom] = useState<Zoom>('fit');
  if (size === 'failed') return <Empty>{t.noResultPicture}</Empty>;
  const fit = size ? fitIn(size, { width: width - 2 * MARGIN, height: height - 2 * MARGIN }) : 1;
  const scale = scaleOf(zoom, Math.min(1, fit));
  return (
    <div className="preview" data-testid="preview">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <section className="preview-room preview-one" ref={room} aria-label={t.preview} tabIndex={0}>
        <img
          src={url}
          alt={name}
          style={size ? { width: size.width * scale, height: size.height * scale } : { opacity: 0 }}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
          onError={() => setSize('failed')}
        />
      </section>
      <ZoomBar zoom={zoom} scale={scale} onZoom={setZoom} t={t}>
        {size && `${size.width} × ${size.height}`}
      </ZoomBar>
    </div>
  );
}
