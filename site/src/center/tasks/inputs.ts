import type { Task } from '../../api/types';
import { type EditorName, factsOf } from '../../editors/facts';
import type { StoredFile } from '../../lib/handoff';

type Taking = { editor: EditorName | null; accepts: { kind: string; extensions: string[] }[] };

/**
 * A task's own files, as its tool takes them again without a new upload. Empty where an editor must see
 * them: the store gives uploads to nobody.
 */
export function storedInputs(task: Task, { editor, accepts }: Taking): StoredFile[] {
  if (factsOf(editor).drawsPages) return [];
  const files = task.inputs.map(({ name, size, key }) => {
    const end = name.slice(name.lastIndexOf('.')).toLowerCase();
    const kind = accepts.find(({ extensions }) => extensions.includes(end))?.kind;
    return kind ? { name, size, kind, key, pages: null, from: null } : null;
  });
  return files.every((file) => file !== null) ? files : [];
}
