import { useState } from 'react';
import { Dialog } from '../../account/dialogs/Dialog';
import type { Lang } from '../../workbench/contract';
import type { Look } from './types';
import { DayWay, DrawWay, PictureWay, TypeWay, type WayProps } from './ways';
import type { SignWords } from './words';
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
  const way: WayProps = { role, lang, words, upload, onLook: setLook };
  return (
    <Dialog
      title={words[TITLES[wish]]}
      closeLabel={words.close}
      onClose={onClose}
      testid="sign-maker"
      size="medium"
    >
      <div className="sign-maker">
        {wish === 'date' ? <DayWay {...way} /> : <Ways {...way} />}
        <button
          type="button"
          className="btn btn-primary btn-big w-full"
          disabled={look === null}
          onClick={() => look && onMade(look)}
          data-testid="sign-use"
        >
          {words.use}
        </button>
      </div>
    </Dialog>
  );
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
