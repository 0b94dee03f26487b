import type { Json } from '../../workbench/contract';
import { joinPath } from '../checks';
import { Field } from '../Field';
import { Group } from '../Group';
import { defaultsOf, resolve } from '../schema';
import { wordsOf } from '../words';
import type { WidgetProps } from './props';

/** One row for each chosen file, in the order of the files. */
export function PerFile(props: WidgetProps) {
  const { schema, root, value, onChange, context, path } = props;
  const items = resolve(schema, root).items;
  const rows = Array.isArray(value) ? value : [];
  if (!items) return null;
  if (context.files.length === 0) return <p className="field-hint">{wordsOf(context.lang).noFiles}</p>;
  const rowOf = (index: number): Json => rows[index] ?? defaultsOf(items, root);
  const Row = resolve(items, root).properties ? Group : Field;
  return (
    <ol className="field-files">
      {context.files.map((file, index) => (
        <li key={file.id}>
          <p className="field-file-title filename">{file.name}</p>
          <Row
            {...props}
            schema={items}
            value={rowOf(index)}
            path={joinPath(path, index)}
            context={{ ...context, files: [file] }}
            onChange={(row) => onChange(context.files.map((_, at) => (at === index ? row : rowOf(at))))}
          />
        </li>
      ))}
    </ol>
  );
}
