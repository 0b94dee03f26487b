import type { Lang } from '../../workbench/contract';

const zh = {
  label: '表格在哪里',
  draw: '框选表格',
  drawing: '在页面上拖出一个框',
  area: (at: number) => `表格 ${at}`,
  clear: '清除这一页的框',
  found: '表格会自动查找。有漏掉的，点“框选表格”在页面上框出来',
  only: (count: number, others: boolean) =>
    `${others ? '这一页' : ''}只读框出的 ${count} 个表格${others ? '，其他页照常查找' : ''}`,
  outside: '这一页不在页码范围内，不会读取',
  opening: '正在打开图片…',
  unseen: '浏览器显示不了这张图片，无法框选；表格仍会自动查找',
  absent: '这个文件在云端，无法在此框选；表格仍会自动查找',
};

const en: typeof zh = {
  label: 'Where the tables are',
  draw: 'Draw an area',
  drawing: 'Drag a box over a table',
  area: (at) => `Table ${at}`,
  clear: 'Clear this page',
  found: 'Tables are found by themselves. If one is missed, draw an area over it',
  only: (count, others) =>
    [
      `Only the ${count === 1 ? 'area' : `${count} areas`} drawn ${count === 1 ? 'is' : 'are'} read`,
      others ? ' on this page; the others are searched' : '',
    ].join(''),
  outside: 'This page is outside the page range and is not read',
  opening: 'Opening the picture…',
  unseen: 'This browser cannot show the picture, so nothing can be drawn on it; tables are still found',
  absent: 'This file is kept on the server, so nothing can be drawn here; tables are still found',
};

export type AreaWords = typeof zh;

export const areaWordsOf = (lang: Lang): AreaWords => (lang === 'zh' ? zh : en);
