import { widthOf } from '../../lib/textWidth';
import { choicesOf } from '../schema';
import type { WidgetProps } from './props';

/** Radio buttons: a segmented bar for few short words, cards for many, rows for sentences. */
export function Choice(props: WidgetProps) {
  const { schema, root, value, onChange, context, id } = props;
  const choices = choicesOf(schema, root, context.lang);
  const look = lookOf(choices.map(([, label]) => label));
  const asides = context.asides?.[props.path];
  return (
    <div className={look}>
      {choices.map(([option, label]) => (
        <label key={String(option)} className="field-choice">
          <input
            type="radio"
            name={id}
            checked={option === value}
            onChange={() => onChange(option)}
            aria-describedby={props.describedBy}
          />
          <ChoiceLabel text={label} aside={asides?.[String(option)]} />
        </label>
      ))}
    </div>
  );
}

/** "Standard · 150 dpi" is a title and a remark. */
function ChoiceLabel({ text, aside }: { text: string; aside: string | undefined }) {
  const [title, ...remark] = text.split(/\s*[·\n]\s*/);
  return (
    <span className="field-choice-text">
      <span className="field-choice-title">{title}</span>
      {aside && <span className="field-choice-aside">{aside}</span>}
      {remark.length > 0 && <span className="field-choice-remark">{remark.join(' · ')}</span>}
    </span>
  );
}

function lookOf(labels: string[]): string {
  if (labels.some((label) => widthOf(label) > 20)) return 'field-rows';
  const total = labels.reduce((width, label) => width + widthOf(label) + 4, 0);
  return labels.length > 5 || total > 52 ? 'field-cards' : 'field-segments';
}
