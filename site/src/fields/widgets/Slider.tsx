import { resolve } from '../schema';
import { NumberInput } from './NumberInput';
import { describe, type WidgetProps } from './props';

export function Slider(props: WidgetProps) {
  const { minimum = 0, maximum = 100, type } = resolve(props.schema, props.root);
  const value = typeof props.value === 'number' ? props.value : minimum;
  const { id, ...described } = describe(props);
  return (
    <div className="field-slider">
      <input
        {...described}
        type="range"
        aria-label={props.label}
        min={minimum}
        max={maximum}
        step={type === 'integer' || maximum - minimum >= 50 ? 1 : (maximum - minimum) / 100}
        value={value}
        style={{ '--filled': `${((value - minimum) / (maximum - minimum)) * 100}%` } as React.CSSProperties}
        onChange={(event) => props.onChange(Number(event.target.value))}
      />
      <NumberInput {...props} id={id} />
    </div>
  );
}
