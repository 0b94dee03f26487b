import { choicesOf } from '../schema';
import { describe, type WidgetProps } from './props';

export function Select(props: WidgetProps) {
  const choices = choicesOf(props.schema, props.root, props.context.lang);
  const chosen = choices.findIndex(([option]) => option === props.value);
  return (
    <select
      {...describe(props)}
      className="field-input field-select"
      value={chosen}
      onChange={(event) => props.onChange(choices[Number(event.target.value)]?.[0] ?? null)}
    >
      {choices.map(([option, label], index) => (
        <option key={String(option)} value={index}>
          {label.replace(/\s*[·\n]\s*/g, ' · ')}
        </option>
      ))}
    </select>
  );
}
