import { parsePages } from '../../ranges';
import { resolve } from '../schema';
import { wordsOf } from '../words';
import { describe, type WidgetProps } from './props';

/** A page range with its count while typing, and the usual choices one press away. */
export function Pages(props: WidgetProps) {
  const words = wordsOf(props.context.lang);
  const text = typeof props.value === 'string' ? props.value : '';
  const shortcuts: [string, string][] = [
    [mustBeNamed(props) ? '1-' : '', words.all],
    ['odd', words.odd],
    ['even', words.even],
    ['last', words.last],
  ];
  return (
    <div className="field-pages">
      <input
        {...describe(props)}
        className="field-input"
        value={text}
        placeholder="1-3,5,8-"
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => props.onChange(event.target.value)}
      />
      <div className="field-chips">
        {shortcuts.map(([range, label]) => (
          <button
            type="button"
            key={range}
            className="field-chip"
            aria-pressed={text.trim().toLowerCase() === range}
            onClick={() => props.onChange(range)}
          >
            {label}
          </button>
        ))}
      </div>
      <PageCount {...props} text={text} />
    </div>
  );
}

/** Where pages must be named, empty is none of them. */
const mustBeNamed = ({ schema, root }: WidgetProps): boolean => {
  const { pattern, ui } = resolve(schema, root);
  return pattern !== undefined || ui?.empty === 'none';
};

function PageCount(props: WidgetProps & { text: string }) {
  const { text, context, invalid } = props;
  const words = wordsOf(context.lang);
  const [file, ...others] = context.files;
  const total = others.length === 0 ? (file?.pages ?? null) : null;
  if (total === null || invalid || (mustBeNamed(props) && !text.trim())) return null;
  const found = parsePages(text, total);
  if (!found.ok) return null;
  const chosen = new Set(found.pages).size;
  return (
    <p className="field-hint" role="status">
      {chosen === total ? words.allPages(total) : words.somePages(chosen, total)}
    </p>
  );
}
