import { useEffect, useMemo, useState } from 'react';
import type { Lang } from '../../workbench/contract';
import { type KeptLook, type KeptSignature, SignCalls } from './calls';
import { LookPicture } from './LookPicture';
import { lookOf, pictureIn } from './kept';
import type { Look, Role } from './types';
import { useLooks } from './useLooks';
import type { SignWords } from './words';

type Props = {
  role: Role;
  lang: Lang;
  words: SignWords;
  upload(file: File): Promise<string>;
  onMade(look: Look): void;
};

/** What the account keeps of this kind: to be used again, or deleted. */
export function Saved({ role, lang, words, upload, onMade }: Props) {
  const calls = useMemo(() => new SignCalls(lang), [lang]);
  const [all, setAll] = useState<KeptSignature[] | null>(null);
  const [said, setSaid] = useState('');
  useEffect(() => {
    calls.kept().then(
      ({ items }) => setAll(items),
      () => setSaid(words.loadFailed),
    );
  }, [calls, words]);
  const mine = (all ?? []).filter(({ look }) => look.role === role);
  const use = (look: KeptLook) => void lookOf(look, upload).then(onMade, () => setSaid(words.uploadFailed));
  const drop = (id: string) =>
    void calls.drop(id).then(
      () => setAll((old) => (old ?? []).filter((each) => each.id !== id)),
      () => setSaid(words.loadFailed),
    );
  return (
    <section className="sign-saved" aria-label={words.saved} data-testid="saved">
      <h3 className="field-label">{words.saved}</h3>
      <ul>
        {mine.map(({ id, look }) => (
          <li key={id} className="sign-chip">
            <button
              type="button"
              aria-label={words.useSaved}
              onClick={() => use(look)}
              data-testid="saved-use"
            >
              <KeptPicture look={look} />
            </button>
            <button type="button" aria-label={words.forget} onClick={() => drop(id)} data-testid="saved-drop">
              ×
            </button>
          </li>
        ))}
      </ul>
      <p className="field-hint" role="status">
        {said || (all && mine.length === 0 ? words.noneSaved : '')}
      </p>
    </section>
  );
}

function KeptPicture({ look }: { look: KeptLook }) {
  return look.kind === 'picture' ? <Pixels data={look.data} /> : <Inked look={look} />;
}

function Inked({ look }: { look: Look }) {
  const artOf = useLooks([look]);
  return <LookPicture look={look} art={artOf(look)} height={36} most={140} />;
}

function Pixels({ data }: { data: string }) {
  const url = useMemo(() => URL.createObjectURL(pictureIn(data)), [data]);
  useEffect(() => () => URL.revokeObjectURL(url), [url]);
  return <img src={url} alt="" height={36} style={{ height: 36 }} />;
}
