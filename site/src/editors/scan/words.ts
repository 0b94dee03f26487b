import type { Lang } from '../../workbench/contract';

const zh = {
  label: '扫描效果预览',
  before: '原件',
  after: '扫描件',
  compare: '拖动比较原件和扫描件',
  scanned: (page: number) => `第 ${page} 页的扫描效果`,
  failed: '这一页无法预览，仍可照常处理',
  size: (page: string) => `这一页约 ${page}`,
  total: (all: string) => `，全部约 ${all}`,
  shuffle: '换一种随机',
  reset: '恢复默认',
};

const en: typeof zh = {
  label: 'Preview of the scan',
  before: 'Original',
  after: 'Scan',
  compare: 'Drag to compare the original with the scan',
  scanned: (page) => `Page ${page} as a scan`,
  failed: 'This page has no preview; it can still be processed',
  size: (page) => `This page: about ${page}`,
  total: (all) => `, all of them: about ${all}`,
  shuffle: 'Shuffle',
  reset: 'Reset',
};

export type ScanWords = typeof zh;

export const wordsOf = (lang: Lang): ScanWords => (lang === 'zh' ? zh : en);
