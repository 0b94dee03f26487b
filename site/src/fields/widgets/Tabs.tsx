import { useRef } from 'react';
import { Group } from '../Group';
import { branchDefaults, branchesOf, branchOf, isObject, type JsonObject, tagOf } from '../schema';
import type { WidgetProps } from './props';

/** A tagged union: one tab an alternative. What was typed in a tab is there again when one comes back to it. */
export function Tabs(props: WidgetProps) {
  const { schema, root, value, onChange, context, id } = props;
  const kept = useRef<Record<string, JsonObject>>({});
  const branches = branchesOf(schema, root);
  const open = branchOf(schema, root, value);
  if (!open) return null;
  const choose = (next: string) => {
    if (isObject(value)) kept.current[open.value] = value;
    onChange(kept.current[next] ?? branchDefaults(schema, root, next));
  };
  return (
    <div className="field-tabs">
      <div className="field-tablist" role="tablist" aria-label={props.label}>
        {branches.map((branch, index) => (
          <button
            type="button"
            role="tab"
            key={branch.value}
            id={`${id}-${branch.value}`}
            aria-selected={branch.value === open.value}
            aria-controls={`${id}-panel`}
            tabIndex={branch.value === open.value ? 0 : -1}
            onClick={() => choose(branch.value)}
            onKeyDown={(event) =>
              moveTab(
                event,
                index,
                branches.map((option) => option.value),
                choose,
              )
            }
          >
            {branch.title?.[context.lang] ?? branch.value}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${open.value}`}>
        <Group {...props} schema={open.schema} value={value} tag={tagOf(schema, root)} />
      </div>
    </div>
  );
}

function moveTab(
  event: React.KeyboardEvent,
  index: number,
  values: string[],
  choose: (value: string) => void,
) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = (index + step + values.length) % values.length;
  choose(values[next] ?? '');
  (event.currentTarget.parentElement?.children[next] as HTMLElement | undefined)?.focus();
}
