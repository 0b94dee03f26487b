import { TriangleAlert } from 'lucide-react';
import { PagePicture } from '../pdf/PagePicture';
import { isBlank, type Leaf, type Turn } from './model';
import type { PdfState } from './useOpened';

type Props = {
  leaf: Leaf;
  turn: Turn;
  /** The most room it may take, in CSS pixels. */
  width: number;
  height: number;
  state: PdfState | undefined;
  picture: string | undefined;
};

/** A left turn goes the short way round. */
const nearest = (turn: Turn): number => (turn === 270 ? -90 : turn);

/** What lies on a leaf, turned as it will be: a page, a picture, or a blank sheet. */
export function LeafFace({ leaf, turn, width, height, state, picture }: Props) {
  // Drawn upright and then turned, it must fit as it lies.
  const box = turn % 180 === 0 ? { width, height } : { width: height, height: width };
  return (
    <span className="leaf-turn" style={{ rotate: `${nearest(turn)}deg` }}>
      {isBlank(leaf) ? (
        <Blank leaf={leaf} side={Math.min(width, height)} />
      ) : (
        <Sheet leaf={leaf} box={box} state={state} picture={picture} />
      )}
    </span>
  );
}

type SheetProps = Pick<Props, 'state' | 'picture'> & {
  leaf: Leaf & { page: number };
  box: { width: number; height: number };
};

function Sheet({ leaf, box, state, picture }: SheetProps) {
  if (picture) {
    return (
      <img
        className="leaf-picture"
        src={picture}
        alt=""
        draggable={false}
        style={{ maxWidth: box.width, maxHeight: box.height }}
      />
    );
  }
  if (state?.at === 'open') return <PagePicture pdf={state.pdf} page={leaf.page} box={box} label="" />;
  return (
    <span className="leaf-waiting" data-failed={state?.at === 'failed' || undefined}>
      {state?.at === 'failed' && <TriangleAlert size={20} aria-hidden="true" />}
    </span>
  );
}

const A4 = 210 / 297;

function Blank({ leaf, side }: { leaf: Leaf; side: number }) {
  const paper = isBlank(leaf) && leaf.blank !== 'previous' ? leaf.blank.width / leaf.blank.height : A4;
  const [width, height] = paper > 1 ? [side, side / paper] : [side * paper, side];
  return <span className="leaf-blank" style={{ width: Math.round(width), height: Math.round(height) }} />;
}
