import type { Lang } from '../../workbench/contract';

const zh = {
  looking: (done: number, total: number) => `正在查找空白页：${done}/${total}`,
  found: (count: number) => `找到 ${count} 个空白页，已经划掉；点一下就保留`,
  none: '没有找到空白页，可以换一种空白判断',
  later: '有文件无法在此查看，空白页在处理时查找',
};

const en: typeof zh = {
  looking: (done, total) => `Looking for blank pages: ${done} of ${total}`,
  found: (count) =>
    count === 1
      ? 'Found 1 blank page and struck it out; click it to keep it'
      : `Found ${count} blank pages and struck them out; click one to keep it`,
  none: 'No page is blank; another level may find some',
  later: 'Some file cannot be seen here; its blank pages are looked for while processing',
};

export type BlankWords = typeof zh;

export const wordsOf = (lang: Lang): BlankWords => (lang === 'zh' ? zh : en);
