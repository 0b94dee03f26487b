import { type ComponentType, useId, useState } from 'react';
import type { FieldSchema, FormContext, Json } from '../workbench/contract';
import { Group } from './Group';
import { resolve, widgetOf } from './schema';
import { wordsOf } from './words';
import { Checks } from './widgets/Checks';
import { Choice } from './widgets/Choice';
import { Colour } from './widgets/Colour';
import { FileInput } from './widgets/FileInput';
import { NumberInput } from './widgets/NumberInput';
import { Pages } from './widgets/Pages';
import { Parts } from './widgets/Parts';
import { Password } from './widgets/Password';
import { PerFile } from './widgets/PerFile';
import { Position } from './widgets/Position';
import type { WidgetProps } from './widgets/props';
import { Select } from './widgets/Select';
import { Slider } from './widgets/Slider';
import { Tabs } from './widgets/Tabs';
import { DateInput, Text, TextArea } from './widgets/Text';
import { Toggle } from './widgets/Toggle';

type Widget = {
  draw: ComponentType<WidgetProps>;
  /** control: a <label> names it; fieldset: several controls under a legend; own: it draws its label. */
  frame: 'control' | 'fieldset' | 'own';
};

const TEXT: Widget = { draw: Text, frame: 'control' };

const WIDGETS: Record<string, Widget> = {
  checks: { draw: Checks, frame: 'fieldset' },
  choice: { draw: Choice, frame: 'fieldset' },
  select: { draw: Select, frame: 'control' },
  toggle: { draw: Toggle, frame: 'own' },
  number: { draw: NumberInput, frame: 'control' },
  slider: { draw: Slider, frame: 'control' },
  text: TEXT,
  textarea: { draw: TextArea, frame: 'control' },
  pages: { draw: Pages, frame: 'control' },
  colour: { draw: Colour, frame: 'control' },
  position: { draw: Position, frame: 'fieldset' },
  parts: { draw: Parts, frame: 'control' },
  password: { draw: Password, frame: 'control' },
  file: { draw: FileInput, frame: 'control' },
  date: { draw: DateInput, frame: 'control' },
  tabs: { draw: Tabs, frame: 'fieldset' },
  per_file: { draw: PerFile, frame: 'fieldset' },
  group: { draw: Group, frame: 'fieldset' },
};

export type FieldProps = {
  schema: FieldSchema;
  root: FieldSchema;
  value: Json;
  onChange(value: Json): void;
  context: FormContext;
  path: string;
  problems: Record<string, string>;
};

export function Field(props: FieldProps) {
  const { schema, root, context, path, value } = props;
  const id = useId();
  const [touched, setTouched] = useState(false);
  const ui = resolve(schema, root).ui ?? {};
  const widget = WIDGETS[widgetOf(schema, root)] ?? TEXT;
  const label = ui.title?.[context.lang] ?? path.split('.').at(-1) ?? path;
  const hint = ui.hint?.[context.lang];
  const problem = shownProblem(props.problems[path], value, touched, context.lang);
  const describedBy =
    [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ') || undefined;
  return (
    <Frame frame={widget.frame} label={label} id={id}>
      <widget.draw
        {...props}
        onChange={(next) => {
          setTouched(true);
          props.onChange(next);
        }}
        id={id}
        label={label}
        invalid={problem !== undefined}
        describedBy={describedBy}
      />
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p className="field-problem" id={`${id}-problem`} role="alert">
          {problem}
        </p>
      )}
    </Frame>
  );
}

/** Nobody is told off for a field they have not come to yet. */
function shownProblem(problem: string | undefined, value: Json, touched: boolean, lang: FormContext['lang']) {
  const waiting =
    !touched && (value === '' || value === null || value === false) && problem === wordsOf(lang).required;
  return waiting ? undefined : problem;
}

type FrameProps = { frame: Widget['frame']; label: string; id: string; children: React.ReactNode };

function Frame({ frame, label, id, children }: FrameProps) {
  if (frame === 'fieldset') {
    return (
      <fieldset className="field">
        <legend className="field-label">{label}</legend>
        {children}
      </fieldset>
    );
  }
  return (
    <div className="field">
      {frame === 'control' && (
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
      )}
      {children}
    </div>
  );
}
