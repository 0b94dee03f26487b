import { choicesOf, resolve } from '../schema';
import type { WidgetProps } from './props';

/** Several of a list: a box each, kept in the schema's order. */
export function Checks({ schema, root, value, onChange, context, describedBy }: WidgetProps) {
  const items = resolve(schema, root).items ?? {};
  const choices = choicesOf({ ...items, ui: resolve(schema, root).ui ?? {} }, root, context.lang);
  const ticked = Array.isArray(value) ? value : [];
  return (
    <div className="field-checks">
      {choices.map(([option, label]) => (
        <label key={String(option)} className="field-check">
          <input
            type="checkbox"
            checked={ticked.includes(option)}
            aria-describedby={describedBy}
            onChange={(event) =>
              onChange(
                choices
                  .map(([each]) => each)
                  .filter((each) => (each === option ? event.target.checked : ticked.includes(each))),
              )
            }
          />
          {label}
        </label>
      ))}
    </div>
  );
}
