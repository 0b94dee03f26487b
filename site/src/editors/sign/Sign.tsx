import { CalendarDays, PenLine, Signature } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { EditorProps, Json } from '../../workbench/contract';
import { PdfStage } from '../PdfStage';
import type { OpenPdf } from '../pdf/open';
import type { Leaf } from '../place/scene';
import { Surface } from '../place/Surface';
import { wordsOf } from '../words';
import { besideSigned } from './beside';
import { type SignField, useSignFields } from './fields';
import { LookPicture } from './LookPicture';
import { lookMark } from './look';
import { Maker, type Wish } from './Maker';
import { blockPage, inField, labelOf, placed, planOf, withMark, withoutMark } from './plan';
import { MOST_MARKS, type SignOptions } from './types';
import { useLooks } from './useLooks';
import { type SignWords, signWordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';
import './sign.css';

const never = () => Promise.reject(new Error('no upload here'));

/** The pages with what is signed on them, just as the server will put it; above them what one signs with. */
export default function Sign({ files, options, onChange, lang, upload = never }: EditorProps) {
  const words = signWordsOf(lang);
  const chosen = options as unknown as SignOptions;
  const artOf = useLooks(chosen.marks);
  return (
    <PdfStage files={files} label={words.label} words={wordsOf(lang)}>
      {({ pdf }) => (
        <Signing
          pdf={pdf}
          options={chosen}
          onChange={(next) => onChange(next as unknown as Json)}
          {...{ artOf, words, lang, upload }}
        />
      )}
    </PdfStage>
  );
}

type SigningProps = Omit<PensProps, 'leaf' | 'act' | 'go' | 'fields'> & {
  pdf: OpenPdf;
  onChange(options: SignOptions): void;
};

/** One document with what is signed on it. */
function Signing({ pdf, onChange, ...held }: SigningProps) {
  const { options, artOf, words, lang } = held;
  const all = useSignFields(pdf);
  const fields = useMemo(() => all.filter(({ signed }) => !signed), [all]);
  useEffect(() => {
    const put = besideSigned(options, pdf.pages, all);
    if (put !== options) onChange(put);
  }, [options, pdf, all, onChange]);
  return (
    <Surface
      pdf={pdf}
      options={options}
      onChange={onChange}
      plan={planOf((look, height) => lookMark(look, height, artOf(look)), words, fields)}
      lang={lang}
      bar={({ current, act, go }) => <Pens leaf={current} {...held} {...{ act, go, fields }} />}
    />
  );
}

type PensProps = {
  options: SignOptions;
  leaf: Leaf | null;
  act(options: SignOptions): void;
  go(page: number): void;
  fields: readonly SignField[];
  artOf: ReturnType<typeof useLooks>;
  words: SignWords;
} & Required<Pick<EditorProps, 'lang' | 'upload'>>;

const MAKERS: { wish: Wish; icon: typeof PenLine }[] = [
  { wish: 'signature', icon: Signature },
  { wish: 'initials', icon: PenLine },
  { wish: 'date', icon: CalendarDays },
];

/** Where the certificate signs: in a field that waits for it, or in a block of its own. */
function FieldChoice({
  options,
  act,
  fields,
  words,
  chosen,
}: Pick<PensProps, 'options' | 'act' | 'fields' | 'words'> & { chosen: string | undefined }) {
  return (
    <label className="sign-field">
      <span>{words.signIn}</span>
      <select
        className="field-input field-select"
        value={chosen}
        onChange={({ target }) => act(inField(options, target.value))}
        data-testid="sign-field"
      >
        <option value="">{words.newBlock}</option>
        {fields.map(({ name, page: on }) => (
          <option key={name} value={name}>
            {words.fieldOn(name, on)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Go to the page of the certificate's block when that appears, or goes into another field. */
function useBlockInSight({
  options,
  leaf,
  go,
  fields,
}: Pick<PensProps, 'options' | 'leaf' | 'go' | 'fields'>) {
  const { certificate } = options;
  const page = leaf && blockPage(options, leaf.pages, fields);
  const where = page && certificate.how === 'pkcs12' ? `in ${certificate.field ?? ''}` : '';
  const was = useRef<string | null>(null);
  useEffect(() => {
    if (!leaf) return;
    // Nothing moves while the page opens with what was chosen before, nor under the hand that drags the block.
    if (was.current !== null && was.current !== where && page && page !== leaf.page) go(page);
    was.current = where;
  });
}

/** What one signs with: new things, and those that are there to be put on the page in sight as well. */
function Pens({ options, leaf, act, go, artOf, words, lang, upload, fields }: PensProps) {
  const [wish, setWish] = useState<Wish | null>(null);
  const page = leaf?.page ?? 1;
  useBlockInSight({ options, leaf, go, fields });
  return (
    <div className="sign-tools">
      <div className="sign-pens" data-testid="pens">
        {MAKERS.map(({ wish: each, icon: Icon }) => (
          <button
            type="button"
            key={each}
            className={
              options.marks.length === 0 && each === 'signature' ? 'btn btn-primary' : 'btn btn-plain'
            }
            disabled={options.marks.length >= MOST_MARKS}
            onClick={() => setWish(each)}
            data-testid={`make-${each}`}
          >
            <Icon size={18} aria-hidden="true" />
            {words[each]}
          </button>
        ))}
        <ul>
          {options.marks.map((mark, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a mark is what stands at its place in the list
            <li key={at} className="sign-chip">
              <button
                type="button"
                aria-label={words.putHere(labelOf(mark, words))}
                title={words.putHere(labelOf(mark, words))}
                onClick={() => act(placed(options, at, page))}
                data-testid="pen"
              >
                <LookPicture look={mark} art={artOf(mark)} height={32} most={110} />
              </button>
              <button
                type="button"
                aria-label={words.takeAway(labelOf(mark, words))}
                onClick={() => act(withoutMark(options, at))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      </div>
      {options.certificate.how === 'pkcs12' && fields.length > 0 && (
        <FieldChoice {...{ options, act, fields, words }} chosen={options.certificate.field} />
      )}
      {wish && (
        <Maker
          wish={wish}
          lang={lang}
          words={words}
          upload={upload}
          onClose={() => setWish(null)}
          onMade={(look) => {
            act(withMark(options, look, page));
            setWish(null);
          }}
        />
      )}
    </div>
  );
}
