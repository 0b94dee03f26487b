import { describe, type WidgetProps } from './props';

export function Toggle(props: WidgetProps) {
  return (
    <label className="field-toggle">
      <input
        {...describe(props)}
        type="checkbox"
        role="switch"
        checked={props.value === true}
        aria-checked={props.value === true}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span className="field-toggle-track" aria-hidden="true" />
      <span className="field-label">{props.label}</span>
    </label>
  );
}
