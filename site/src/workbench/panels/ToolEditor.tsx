import { type ComponentType, lazy, Suspense } from 'react';
import type { EditorProps } from '../contract';
import type { Bench } from '../useWorkbench';
import type { Editing } from './FilesPanel';

const Skeleton = () => <div className="skeleton h-64 w-full" data-testid="editor-loading" />;

const cache = new Map<string, ComponentType<EditorProps>>();

function editorFor(name: string): ComponentType<EditorProps> {
  const known = cache.get(name);
  if (known) return known;
  const Editor = lazy(async () => {
    const { editors } = await import('../../editors');
    const load = editors[name];
    return load ? load() : { default: () => null };
  });
  cache.set(name, Editor);
  return Editor;
}

/** The editor of a tool whose options are more than a form. */
export function ToolEditor({ bench, work }: { bench: Bench; work: Editing }) {
  const name = bench.props.tool.editor;
  if (!name) return null;
  if (work.options === null) return <Skeleton />;
  const Editor = editorFor(name);
  return (
    <div data-testid="editor" data-editor={name} className="border-t border-line pt-4">
      <Suspense fallback={<Skeleton />}>
        <Editor
          files={work.rows}
          options={work.options}
          onChange={(options) => bench.dispatch({ do: 'options', options })}
          lang={bench.props.lang}
        />
      </Suspense>
    </div>
  );
}
