import { choicesOf } from '../schema';
import type { WidgetProps } from './props';

/** Nine places as a little page. Radio buttons, so arrow keys work. */
export function Position(props: WidgetProps) {
  const choices = choicesOf(props.schema, props.root, props.context.lang);
  const nine = choices.slice(0, 9);
  return (
    <div className="field-position-row">
      <div className="field-position">
        {nine.map(([option, label]) => (
          <label key={String(option)} title={label}>
            <input
              type="radio"
              name={props.id}
              checked={option === props.value}
              onChange={() => props.onChange(option)}
              aria-label={label}
            />
            <span aria-hidden="true" />
          </label>
        ))}
      </div>
      <span className="field-position-name">{choices.find(([option]) => option === props.value)?.[1]}</span>
      {choices.slice(9).map(([option, label]) => (
        <button
          type="button"
          key={String(option)}
          className="field-chip"
          aria-pressed={option === props.value}
          onClick={() => props.onChange(option)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
