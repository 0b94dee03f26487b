import { ChevronsLeftRight } from 'lucide-react';
import { type CSSProperties, type ReactNode, useState } from 'react';
import './curtain.css';

type Side = {
  picture: ReactNode;
  /** What stands in its corner. */
  tag: string;
};
type Props = { before: Side; after: Side; box: { width: number; height: number }; label: string };

/** Two pictures of one size, one over the other; a slider says how much of each is seen. */
export function Curtain({ before, after, box, label }: Props) {
  const [at, setAt] = useState(50);
  return (
    <div className="curtain" style={{ ...box, '--at': `${at}%` } as CSSProperties}>
      {before.picture}
      <div className="curtain-after">{after.picture}</div>
      <span className="curtain-line" aria-hidden="true">
        <span>
          <ChevronsLeftRight size={20} />
        </span>
      </span>
      <span className="curtain-tag curtain-left" aria-hidden="true">
        {before.tag}
      </span>
      <span className="curtain-tag curtain-right" aria-hidden="true">
        {after.tag}
      </span>
      <input
        type="range"
        min={0}
        max={100}
        value={at}
        aria-label={label}
        onChange={(event) => setAt(Number(event.target.value))}
        data-testid="compare-slider"
      />
    </div>
  );
}
