import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

const SWATCHES = ['#d32f2f', '#1565c0', '#2e7d32', '#757575', '#000000', '#ffffff'];

export function Colour(props: WidgetProps) {
  const value = typeof props.value === 'string' ? props.value : '#000000';
  const words = wordsOf(props.context.lang);
  return (
    <div className="field-colour">
      <input
        {...describe(props)}
        type="color"
        value={/^#[0-9a-f]{6}$/i.test(value) ? value : '#000000'}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <input
        className="field-input field-colour-code"
        aria-label={`${props.label}: ${words.colourCode}`}
        value={value}
        maxLength={7}
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value.trim())}
      />
      <span className="field-swatches">
        {SWATCHES.map((colour) => (
          <button
            type="button"
            key={colour}
            className="field-swatch"
            style={{ background: colour }}
            aria-label={colour}
            aria-pressed={value.toLowerCase() === colour}
            onClick={() => props.onChange(colour)}
          />
        ))}
      </span>
    </div>
  );
}
