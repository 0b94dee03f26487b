import { Group } from '../Group';
import { joinPath } from '../checks';
import { defaultsOf, resolve } from '../schema';
import { wordsOf } from '../words';
import type { WidgetProps } from './props';

/** One row of fields for each chosen file, in the order of the files. */
export function PerFile(props: WidgetProps) {
  const { schema, root, value, onChange, context, path } = props;
  const items = resolve(schema, root).items;
  const rows = Array.isArray(value) ? value : [];
  if (!items) return null;
  if (context.files.length === 0) return <p className="field-hint">{wordsOf(context.lang).noFiles}</p>;
  return (
    <ol className="field-files">
      {context.files.map((file, index) => (
        <li key={file.id}>
          <p className="field-file-title">{file.name}</p>
          <Group
            {...props}
            schema={items}
            value={rows[index] ?? defaultsOf(items, root)}
            path={joinPath(path, index)}
            context={{ ...context, files: [file] }}
            onChange={(row) =>
              onChange(
                context.files.map((_, at) => (at === index ? row : (rows[at] ?? defaultsOf(items, root)))),
              )
            }
          />
        </li>
      ))}
    </ol>
  );
}
