import { useEffect, useRef } from 'react';
import { useDensity } from '../pdf/useDensity';
import type { Art } from '../place/useArt';
import { lookMark } from './look';
import type { Look } from './types';

type Props = { look: Look; art: Art | null; height: number; most: number };

/** Of the height, at each side: letters of a hand reach over their own box. */
const REACH = 0.12;

/** A look by itself, on white as on paper: so high in CSS pixels, and at most so wide. */
export function LookPicture({ look, art, height, most }: Props) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const density = useDensity();
  useEffect(() => {
    const [element, whole] = [canvas.current, lookMark(look, height, art)];
    const context = element?.getContext('2d');
    if (!element || !context || !whole) return;
    const reach = REACH * height;
    const share = Math.min(1, most / (whole.width + 2 * reach));
    element.width = Math.max(1, Math.ceil((whole.width + 2 * reach) * share * density));
    element.height = Math.ceil(height * density);
    element.style.width = `${element.width / density}px`;
    context.scale(density * share, density * share);
    context.translate(reach, (height / share - height) / 2);
    whole.draw(context);
  });
  return (
    <span aria-hidden="true">
      <canvas ref={canvas} style={{ height }} />
    </span>
  );
}
