import type { Lang } from '../../workbench/contract';
import type { Axis } from './slicing';

const zh = {
  label: '切线预览',
  cut: (axis: Axis, number: number, percent: string) =>
    `${axis === 'columns' ? '竖' : '横'}切线 ${number}，在 ${percent}，可拖动`,
  part: (number: number) => `第 ${number} 份`,
  alone: '只改这一页',
  leave: '这一页不切',
  reset: '恢复成和其他页一样',
  whole: '这一页不切开，整页保留',
  gutter: '中缝在处理时逐页查找；拖动切线，就按你放的位置切这一页',
  hint: '拖动切线；方向键微调。数字是切开后的先后顺序',
  own: '这一页有自己的切线',
  result: (count: number) => `一共得到 ${count} 页`,
};

const en: typeof zh = {
  label: 'Preview of the cuts',
  cut: (axis, number, percent) =>
    `${axis === 'columns' ? 'Vertical' : 'Horizontal'} cut ${number} at ${percent}, can be dragged`,
  part: (number) => `Part ${number}`,
  alone: 'This page only',
  leave: 'Leave this page whole',
  reset: 'As the other pages again',
  whole: 'This page is left whole',
  gutter:
    'The gutter is looked for on each page while processing; drag the line to place it yourself on this page',
  hint: 'Drag the lines; arrow keys nudge them. Numbers show the order of the parts',
  own: 'This page has lines of its own',
  result: (count) => (count === 1 ? 'Makes 1 page' : `Makes ${count} pages`),
};

export type SliceWords = typeof zh;

export const wordsOf = (lang: Lang): SliceWords => (lang === 'zh' ? zh : en);
