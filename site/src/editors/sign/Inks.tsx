import { INKS } from './types';
import type { SignWords } from './words';

type Props = { colour: string; onColour(colour: string): void; words: SignWords };

/** The colours of ink, and any other. */
export function Inks({ colour, onColour, words }: Props) {
  return (
    <fieldset className="sign-inks">
      <legend className="field-label">{words.ink}</legend>
      {INKS.map((each, at) => (
        <button
          type="button"
          key={each}
          aria-label={words.inks[at]}
          aria-pressed={each === colour}
          style={{ background: each }}
          onClick={() => onColour(each)}
        />
      ))}
      <input
        type="color"
        aria-label={words.otherInk}
        value={colour}
        onChange={(event) => onColour(event.target.value)}
      />
    </fieldset>
  );
}
