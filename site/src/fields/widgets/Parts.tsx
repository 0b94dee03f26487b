import { parseParts } from '../../ranges';
import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

/** Several page ranges, one file each: `1-3;4-6`. */
export function Parts(props: WidgetProps) {
  const words = wordsOf(props.context.lang);
  const text = typeof props.value === 'string' ? props.value : '';
  const [file, ...others] = props.context.files;
  const total = others.length === 0 ? (file?.pages ?? null) : null;
  const parts = total === null ? [] : parseParts(text, total);
  return (
    <>
      <input
        {...describe(props)}
        className="field-input"
        value={text}
        placeholder="1-3;4-6"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
      />
      {text.trim() !== '' && parts.length > 0 && parts.every((part) => part.ok) && (
        <p className="field-hint" role="status">
          {words.partCount(parts.length)}
        </p>
      )}
    </>
  );
}
