import { useState } from 'react';
import { Dialog } from '../../account/dialogs/Dialog';
import { useAccount } from '../../account/useAccount';
import { Problem } from '../../api/problem';
import type { Lang } from '../../workbench/contract';
import { SignCalls } from './calls';
import { keptOf } from './kept';
import { Saved } from './Saved';
import type { Look } from './types';
import { DayWay, DrawWay, PictureWay, TypeWay, type WayProps } from './ways';
import { type SignWords, signWordsOf } from './words';
import '../../fields/widgets/widgets.css';
import './sign.css';

export type Wish = 'signature' | 'initials' | 'date';
const WAYS = { draw: DrawWay, type: TypeWay, upload: PictureWay } as const;
type Way = keyof typeof WAYS;

type Props = {
  wish: Wish;
  lang: Lang;
  words: SignWords;
  upload(file: File): Promise<string>;
  onMade(look: Look): void;
  onClose(): void;
};

const TITLES = { signature: 'makeSignature', initials: 'makeInitials', date: 'makeDate' } as const;

/** Where a signature, initials or a date are made. */
export function Maker({ wish, lang, words, upload, onMade, onClose }: Props) {
  const [look, setLook] = useState<Look | null>(null);
  const role = wish === 'initials' ? 'initials' : 'signature';
  const [keeps, setKeeps] = useState(false);
  const keepable = useAccount().state === 'user' && wish !== 'date';
  const way: WayProps = { role, lang, words, upload, onLook: setLook };
  const use = (made: Look) => {
    if (keepable && keeps) void keep(made, lang);
    onMade(made);
  };
  return (
    <Dialog
      title={words[TITLES[wish]]}
      closeLabel={words.close}
      onClose={onClose}
      testid="sign-maker"
      size="medium"
    >
      <div className="sign-maker">
        {keepable && <Saved {...way} onMade={onMade} />}
        {wish === 'date' ? <DayWay {...way} /> : <Ways {...way} />}
        {keepable && (
          <label className="sign-check">
            <input
              type="checkbox"
              checked={keeps}
              onChange={(event) => setKeeps(event.target.checked)}
              data-testid="sign-keep"
            />
            {words.keep}
          </label>
        )}
        <button
          type="button"
          className="btn btn-primary btn-big w-full"
          disabled={look === null}
          onClick={() => look && use(look)}
          data-testid="sign-use"
        >
          {words.use}
        </button>
      </div>
    </Dialog>
  );
}

/** The page goes on meanwhile; that it was not kept is said. */
async function keep(look: Look, lang: Lang): Promise<void> {
  try {
    const kept = await keptOf(look);
    if (kept) await new SignCalls(lang).keep(kept);
  } catch (error) {
    const { notify } = await import('../../ui/notify');
    const told = error instanceof Problem ? error.data.msg : '';
    notify(told || signWordsOf(lang).keepFailed, { type: 'warning' });
  }
}

function Ways(props: WayProps) {
  const { words, onLook } = props;
  const [way, setWay] = useState<Way>('draw');
  const Panel = WAYS[way];
  const choose = (next: Way) => {
    if (next !== way) onLook(null);
    setWay(next);
  };
  return (
    <>
      <div className="field-tablist" role="tablist" aria-label={words.ways}>
        {(Object.keys(WAYS) as Way[]).map((each) => (
          <button
            type="button"
            role="tab"
            key={each}
            id={`sign-${each}`}
            aria-selected={each === way}
            aria-controls="sign-way"
            onClick={() => choose(each)}
          >
            {words[each]}
          </button>
        ))}
      </div>
      <div role="tabpanel" id="sign-way" aria-labelledby={`sign-${way}`} className="sign-way">
        <Panel {...props} />
      </div>
    </>
  );
}
