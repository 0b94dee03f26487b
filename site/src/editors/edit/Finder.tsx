import { Search as SearchIcon, Trash2, X } from 'lucide-react';
import { useId, useState } from 'react';
import {
  added,
  type EditOptions,
  type HideAct,
  type Hit,
  isSearch,
  MOST_HITS,
  type Preset,
  type ReplaceAct,
  removed,
} from './acts';
import type { Styles } from './making';
import type { SearchDesk } from './useSearch';
import type { EditWords } from './words';
import './finder.css';

type Props = {
  desk: SearchDesk;
  pages: number;
  options: EditOptions;
  source: number;
  style: Styles['redact'];
  act(options: EditOptions): void;
  go(page: number): void;
  onClose(): void;
  words: EditWords;
};

/** Searching the document: a list of places to confirm, then replaced or removed. */
export function Finder(props: Props) {
  const { desk, words, onClose } = props;
  return (
    <aside className="finder" aria-label={words.finder} data-testid="finder">
      <div className="finder-head">
        <h2>{words.finder}</h2>
        <button
          type="button"
          className="style-tool"
          aria-label={words.close}
          title={words.close}
          onClick={onClose}
        >
          <X size={18} aria-hidden="true" />
        </button>
      </div>
      <Asking desk={desk} words={words} />
      <Places {...props} />
      <Planned {...props} />
    </aside>
  );
}

const PRESETS: Preset[] = ['id_card', 'phone', 'bank_card', 'email'];

/** What to find; once it was found the places have the room. */
function Asking({ desk, words }: Pick<Props, 'desk' | 'words'>) {
  const [open, setOpen] = useState(true);
  const id = useId();
  const [text, setText] = useState('');
  const [presets, setPresets] = useState<readonly Preset[]>([]);
  const [exact, setExact] = useState(false);
  const [word, setWord] = useState(false);
  const terms = [...new Set(text.split('\n').map((line) => line.trim()))].filter((line) => line !== '');
  const empty = terms.length === 0 && presets.length === 0;
  const flip = (preset: Preset) =>
    setPresets(presets.includes(preset) ? presets.filter((each) => each !== preset) : [...presets, preset]);
  return (
    <details open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="finder-what">
        {words.what}
        {!open && <span>{[...terms, ...presets.map((preset) => words.presets[preset])].join('、')}</span>}
      </summary>
      <form
        className="finder-ask"
        onSubmit={(event) => {
          event.preventDefault();
          if (empty) return;
          setOpen(false);
          void desk.run({ terms, presets, case: exact, word });
        }}
      >
        <label htmlFor={id}>{words.terms}</label>
        <textarea
          id={id}
          rows={2}
          value={text}
          onChange={({ target }) => setText(target.value)}
          onKeyDown={(event) => {
            if (
              event.key !== 'Enter' ||
              event.shiftKey ||
              event.nativeEvent.isComposing ||
              text.includes('\n')
            )
              return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
          data-testid="find-terms"
        />
        <fieldset className="finder-checks">
          <legend>{words.presetsLabel}</legend>
          {PRESETS.map((preset) => (
            <Tick
              key={preset}
              label={words.presets[preset]}
              on={presets.includes(preset)}
              onFlip={() => flip(preset)}
            />
          ))}
        </fieldset>
        <div className="finder-checks">
          <Tick label={words.case} on={exact} onFlip={() => setExact(!exact)} />
          <Tick label={words.word} on={word} onFlip={() => setWord(!word)} />
        </div>
        <button type="submit" className="btn btn-plain" disabled={empty} data-testid="find">
          <SearchIcon size={18} aria-hidden="true" />
          {words.search}
        </button>
      </form>
    </details>
  );
}

const Tick = ({ label, on, onFlip }: { label: string; on: boolean; onFlip(): void }) => (
  <label className="finder-tick">
    <input type="checkbox" checked={on} onChange={onFlip} />
    {label}
  </label>
);

/** Places listed at first; more are shown when somebody wants them. */
const LISTED = 200;

function Places({ desk, pages, go, words, ...rest }: Props) {
  const { found, off, at, hasText } = desk.state;
  const [listed, setListed] = useState(LISTED);
  if (found === null) return null;
  const status =
    at === null
      ? hasText
        ? words.found(found.length)
        : words.noWords
      : words.searching(found.length, at, pages);
  return (
    <>
      <div className="finder-status">
        <p role="status" data-testid="find-status" data-count={at === null ? found.length : undefined}>
          {status}
        </p>
        {found.length > 1 && (
          <span>
            <button type="button" className="link-button" onClick={() => desk.all(true)}>
              {words.all}
            </button>
            <button type="button" className="link-button" onClick={() => desk.all(false)}>
              {words.none}
            </button>
          </span>
        )}
      </div>
      {found.length > 0 && (
        <ul className="finder-places" data-testid="find-places">
          {found.slice(0, listed).map((place, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: places are listed as they were found
            <li key={index}>
              <input
                type="checkbox"
                checked={!off.has(index)}
                onChange={() => desk.toggle(index)}
                aria-label={`${words.onPage(place.page)} ${place.before}${place.text}${place.after}`}
              />
              <button type="button" onClick={() => go(place.page)}>
                <span className="finder-page">{place.page}</span>
                <span>
                  {place.before}
                  <mark>{place.text}</mark>
                  {place.after}
                </span>
              </button>
            </li>
          ))}
          {found.length > listed && (
            <li>
              <button type="button" className="link-button" onClick={() => setListed(listed + LISTED)}>
                +{found.length - listed}
              </button>
            </li>
          )}
        </ul>
      )}
      {at === null && found.length > 0 && <Doing desk={desk} pages={pages} go={go} words={words} {...rest} />}
    </>
  );
}

/** The places that stay chosen. */
const hitsOf = ({ found, off }: SearchDesk['state']): Hit[] =>
  (found ?? []).filter((_, at) => !off.has(at)).map(({ page, boxes }) => ({ page, boxes }));

/** As many as one act may name. */
const portions = (hits: Hit[]): Hit[][] =>
  Array.from({ length: Math.ceil(hits.length / MOST_HITS) }, (_, at) =>
    hits.slice(at * MOST_HITS, (at + 1) * MOST_HITS),
  );

function Doing({ desk, options, source, style, act, words }: Props) {
  const id = useId();
  const [text, setText] = useState('');
  const { search } = desk.state;
  const hits = hitsOf(desk.state);
  const [term] = search.terms;
  const one = search.terms.length === 1 && search.presets.length === 0 ? term : undefined;
  const write = (next: ReplaceAct | HideAct) => {
    const all = desk.state.off.size === 0;
    if (all) desk.keep(next, hits);
    act(added(options, ...(all ? [next] : portions(hits).map((portion) => ({ ...next, hits: portion })))));
    desk.clear();
  };
  // Where all is meant the server searches itself: it reads letters to the point, comments and hidden text too.
  const shared = { source, case: search.case, word: search.word, hits: null };
  return (
    <div className="finder-do">
      {one !== undefined && (
        <>
          <label htmlFor={id}>{words.replaceBy}</label>
          <input
            id={id}
            type="text"
            value={text}
            onChange={({ target }) => setText(target.value)}
            maxLength={500}
          />
          <button
            type="button"
            className="btn btn-plain"
            disabled={hits.length === 0}
            data-testid="replace"
            onClick={() => write({ kind: 'replace', ...shared, find: one, text, reflow: true })}
          >
            {words.replace(hits.length)}
          </button>
        </>
      )}
      <button
        type="button"
        className="btn btn-plain"
        disabled={hits.length === 0}
        data-testid="hide"
        onClick={() =>
          write({ kind: 'hide', ...shared, terms: [...search.terms], presets: [...search.presets], ...style })
        }
      >
        {words.hide(hits.length)}
      </button>
      <p className="field-hint">{words.hideHint}</p>
    </div>
  );
}

/** What will be replaced and removed, each to be taken back. */
function Planned({ desk, options, source, act, words }: Props) {
  const planned = options.acts.flatMap((each, at) =>
    isSearch(each) && each.source === source ? [{ each, at }] : [],
  );
  if (planned.length === 0) return null;
  return (
    <div className="finder-planned">
      <h3>{words.planned}</h3>
      <ul data-testid="planned">
        {planned.map(({ each, at }) => (
          <li key={at}>
            <span>{plannedText(each, desk.known(each).length, words)}</span>
            <button
              type="button"
              className="style-tool"
              data-danger
              aria-label={`${words.delete} ${plannedText(each, desk.known(each).length, words)}`}
              onClick={() => act(removed(options, at))}
            >
              <Trash2 size={16} aria-hidden="true" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}

function plannedText(each: ReplaceAct | HideAct, count: number, words: EditWords): string {
  if (each.kind === 'replace') return words.plannedReplace(each.find, each.text, count);
  const what = [...each.terms, ...each.presets.map((preset) => words.presets[preset])].join('、');
  return words.plannedHide(what, count);
}
