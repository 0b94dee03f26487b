import { type ComponentType, lazy, Suspense, useMemo } from 'react';
import type { EditorModule, EditorProps, Listing } from '../contract';
import type { Bench } from '../useWorkbench';
import type { Editing } from '../state';
import { loadEditors } from '../later';
import { type IslandWords, words } from '../words';
import { Coming, Part } from './Lost';

const Skeleton = ({ t }: { t: IslandWords }) => (
  <Coming t={t}>
    <div className="skeleton h-64 w-full" data-testid="editor-loading" />
  </Coming>
);
const Nothing: EditorModule = { default: () => null };

type Shelf = 'editors' | 'notes';

const cache = new Map<string, ComponentType<EditorProps>>();

function editorFrom(shelf: Shelf, name: string): ComponentType<EditorProps> {
  const key = `${shelf}:${name}`;
  const known = cache.get(key);
  if (known) return known;
  const Editor = lazy(async () => {
    const modules: Record<string, () => Promise<EditorModule>> = (await loadEditors())[shelf];
    const load = modules[name];
    return load ? load() : Nothing;
  });
  cache.set(key, Editor);
  return Editor;
}

function useEditorProps(bench: Bench, work: Editing): EditorProps {
  const { dispatch, remove } = bench;
  const list = useMemo<Listing>(
    () => ({
      onReorder: (ids) => dispatch({ do: 'ordered', ids }),
      onRemove: remove,
      onPassword: (id, password) => dispatch({ do: 'password', id, password }),
    }),
    [dispatch, remove],
  );
  return {
    files: work.rows,
    options: work.options,
    onChange: (options) => dispatch({ do: 'options', options }),
    lang: bench.props.lang,
    list,
    upload: (file) => bench.desk.extra(file),
  };
}

type EditorPanel = { bench: Bench; work: Editing };

/** The editor of a tool whose options are more than a form. */
export function ToolEditor({ bench, work }: EditorPanel) {
  const props = useEditorProps(bench, work);
  const name = bench.props.tool.editor;
  const t = words[bench.props.lang];
  if (!name) return null;
  if (work.options === null) return <Skeleton t={t} />;
  const Editor = editorFrom('editors', name);
  return (
    <div data-testid="editor" data-editor={name}>
      <Part t={t}>
        <Suspense fallback={<Skeleton t={t} />}>
          <Editor {...props} />
        </Suspense>
      </Part>
    </div>
  );
}

/** A live remark below the form, for the tools that have one. */
export function ToolNote({ bench, work }: EditorPanel) {
  const props = useEditorProps(bench, work);
  if (work.options === null) return null;
  const Note = editorFrom('notes', bench.props.tool.key);
  return (
    <Part t={words[bench.props.lang]}>
      <Suspense fallback={null}>
        <Note {...props} />
      </Suspense>
    </Part>
  );
}
