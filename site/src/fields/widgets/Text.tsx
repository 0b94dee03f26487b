import { isNullable, resolve } from '../schema';
import { describe, type WidgetProps } from './props';

export function Text(props: WidgetProps) {
  return (
    <input
      {...describe(props)}
      className="field-input"
      placeholder={placeholderOf(props)}
      value={textOf(props)}
      maxLength={resolve(props.schema, props.root).maxLength}
      onChange={(event) => props.onChange(written(props, event.target.value))}
    />
  );
}

export function TextArea(props: WidgetProps) {
  return (
    <textarea
      {...describe(props)}
      className="field-input field-textarea"
      rows={3}
      placeholder={placeholderOf(props)}
      value={textOf(props)}
      maxLength={resolve(props.schema, props.root).maxLength}
      onChange={(event) => props.onChange(written(props, event.target.value))}
    />
  );
}

export function DateInput(props: WidgetProps) {
  return (
    <input
      {...describe(props)}
      type="date"
      className="field-input field-date"
      value={textOf(props)}
      onChange={(event) => props.onChange(written(props, event.target.value))}
    />
  );
}

const placeholderOf = ({ schema, root, context }: WidgetProps) =>
  resolve(schema, root).ui?.placeholder?.[context.lang];

const textOf = ({ value }: WidgetProps): string => (typeof value === 'string' ? value : '');

const written = ({ schema }: WidgetProps, text: string) => (text === '' && isNullable(schema) ? null : text);
