import { useMemo } from 'react';
import type { EditorProps, Json, Lang } from '../../workbench/contract';
import type { Choice } from '../board/choice';
import { isBlank } from '../board/model';
import { PageBoard } from '../board/PageBoard';
import { useSections } from '../board/useSections';
import { wordsOf as commonWordsOf } from '../words';
import { type InsertOptions, laid } from './laying';
import '../editors.css';

const DEFAULTS: InsertOptions = { where: 'end', page: 1, every: 1, pages: '' };
const NO_STEPS = { undo: null, redo: null };

const zh = {
  pick: '点第一个文件的一页，就插到它后面；打勾的是插入的页',
  before: '点第一个文件的一页，就插到它前面；打勾的是插入的页',
  alone: '再放入要插入的文件',
  result: (count: number) => `结果共 ${count} 页`,
};

const en: typeof zh = {
  pick: 'Click a page of the first file to insert after it; ticked pages are those inserted',
  before: 'Click a page of the first file to insert before it; ticked pages are those inserted',
  alone: 'Add the files whose pages are to be inserted',
  result: (count) => (count === 1 ? 'Makes 1 page' : `Makes ${count} pages`),
};

const wordsOf = (lang: Lang) => (lang === 'zh' ? zh : en);

/** The result as it will be; a click on a page of the first file says where the others go. */
export default function Insert({ files, options, onChange, lang, list }: EditorProps) {
  const words = wordsOf(lang);
  const chosen = { ...DEFAULTS, ...(options as Partial<InsertOptions>) };
  const { where, page, every, pages } = chosen;
  const sections = useSections(files);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the board follows from
  const { leaves, inserted } = useMemo(
    () =>
      laid(
        sections.map((section) => section.leaves),
        chosen,
      ),
    [sections, where, page, every, pages],
  );
  const result = useMemo(() => [{ file: null, leaves }], [leaves]);
  const known = sections.every((section) => section.leaves.length > 0);
  const pick = ({ ids }: Choice) => {
    if (ids.size > inserted.size + 1) return;
    const own = leaves.find((leaf) => ids.has(leaf.id) && !inserted.has(leaf.id));
    if (!own || isBlank(own)) return;
    const beside = where === 'before' ? 'before' : 'after';
    onChange({ ...(options as object), where: beside, page: own.page } as Json);
  };
  return (
    <section className="editor" aria-label={commonWordsOf(lang).pagesGrid}>
      <PageBoard
        files={files}
        // Until every file is open each says for itself what it waits for.
        sections={known ? result : sections}
        choice={known ? { ids: inserted, anchor: null } : null}
        onChoice={pick}
        pointing
        deeds={{}}
        steps={NO_STEPS}
        outcome={
          known && (
            <span className="editor-count" data-testid="insert-result" data-count={leaves.length}>
              {words.result(leaves.length)}
            </span>
          )
        }
        notice={<p className="field-hint">{hintFor(files.length, where, words)}</p>}
        lang={lang}
        onPassword={list?.onPassword}
      />
    </section>
  );
}

function hintFor(files: number, where: InsertOptions['where'], words: typeof zh): string {
  if (files < 2) return words.alone;
  return where === 'before' ? words.before : words.pick;
}
