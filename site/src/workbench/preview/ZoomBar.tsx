import { Maximize, ZoomIn, ZoomOut } from 'lucide-react';
import type { ReactNode } from 'react';
import type { PreviewWords } from './words';
import { isEnd, stepped, type Zoom } from './zoom';

type BarProps = {
  zoom: Zoom;
  scale: number;
  onZoom(zoom: Zoom): void;
  t: PreviewWords;
  children?: ReactNode;
};

/** Zoom, and what the picture itself has to say at the other end. */
export function ZoomBar({ zoom, scale, onZoom, t, children }: BarProps) {
  const step = (by: 1 | -1) => onZoom(stepped(scale, by));
  return (
    <div className="preview-bar">
      <span className="min-w-0 truncate">{children}</span>
      <span className="preview-zoom">
        <button
          type="button"
          aria-label={t.zoomOut}
          title={t.zoomOut}
          disabled={isEnd(scale, -1)}
          onClick={() => step(-1)}
        >
          <ZoomOut size={18} aria-hidden="true" />
        </button>
        <span className="preview-scale" aria-live="polite">
          {Math.round(scale * 100)}%
        </span>
        <button
          type="button"
          aria-label={t.zoomIn}
          title={t.zoomIn}
          disabled={isEnd(scale, 1)}
          onClick={() => step(1)}
        >
          <ZoomIn size={18} aria-hidden="true" />
        </button>
        <button
          type="button"
          aria-label={t.fit}
          title={t.fit}
          aria-pressed={zoom === 'fit'}
          onClick={() => onZoom('fit')}
        >
          <Maximize size={18} aria-hidden="true" />
        </button>
      </span>
    </div>
  );
}
