import type { FieldSchema, FormContext, Json, Lang } from '../workbench/contract';
import { joinPath } from './checks';
import { Field } from './Field';
import { isObject, isVisible, type Property, propertiesOf, resolve, widgetOf } from './schema';
import { wordsOf } from './words';

export type GroupProps = {
  schema: FieldSchema;
  root: FieldSchema;
  value: Json;
  onChange(value: Json): void;
  context: FormContext;
  path: string;
  problems: Record<string, string>;
  /** The union's discriminator: its tabs show it. */
  tag?: string | null;
};

/** The fields of one object; the advanced ones wait in a disclosure. */
export function Group(props: GroupProps) {
  const { schema, root, value, context } = props;
  const object = isObject(value) ? value : {};
  const parent = resolve(schema, root);
  const shown = propertiesOf(schema, root).filter(
    (property) =>
      property.name !== props.tag &&
      widgetOf(property.schema, root) !== 'hidden' &&
      !property.ui.editor &&
      isVisible(property, object, parent, root),
  );
  const advanced = shown.filter((property) => property.ui.advanced);
  const details = shown.flatMap((property) => detailsOf(property, context.lang));
  const fieldOf = (property: Property) => (
    <Field
      key={property.name}
      {...props}
      schema={property.schema}
      path={joinPath(props.path, property.name)}
      value={object[property.name] ?? null}
      onChange={(next) => props.onChange({ ...object, [property.name]: next })}
    />
  );
  return (
    <div className="field-group">
      {shown.filter((property) => !property.ui.advanced).map(fieldOf)}
      {advanced.length + details.length > 0 && (
        <details className="field-advanced" open={holdsProblem(advanced, props) || undefined}>
          <summary>{wordsOf(context.lang).advanced}</summary>
          <div className="field-group">
            {details.length > 0 && <Details lines={details} />}
            {advanced.map(fieldOf)}
          </div>
        </details>
      )}
    </div>
  );
}

type Line = { title: string; detail: string };

/** "Standard": "150 dpi". */
function detailsOf({ ui }: Property, lang: Lang): Line[] {
  return Object.entries(ui.details ?? {}).map(([choice, detail]) => ({
    title: ui.choices?.[choice]?.[lang].split(' · ')[0] ?? choice,
    detail: detail[lang],
  }));
}

function Details({ lines }: { lines: Line[] }) {
  return (
    <dl className="field-details">
      {lines.map(({ title, detail }) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{detail}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A sentence in a closed disclosure would never be read. */
function holdsProblem(advanced: Property[], { path, problems }: GroupProps): boolean {
  return advanced.some(({ name }) => {
    const own = joinPath(path, name);
    return Object.keys(problems).some((field) => field === own || field.startsWith(`${own}.`));
  });
}
