import type { Lang } from '../../workbench/contract';

const zh = {
  label: '校对文字',
  opening: '正在读取识别结果…',
  failed: '识别数据暂时读取不到，请直接下载',
  noPicture: '浏览器无法显示这一页，请对照原件校对',
  absent: '原图已不在此页面，请对照原件校对',
  page: (number: number) => `第 ${number} 页`,
  choosePage: '页',
  showPicture: '显示原图',
  hidePicture: '收起原图',
  tools: '修改',
  undo: '撤销',
  redo: '重做',
  doubtful: (count: number) => (count > 0 ? `${count} 行存疑` : '没有存疑的文字'),
  nextDoubt: '下一处存疑',
  confirm: '内容无误',
  line: (number: number) => `第 ${number} 行`,
  unread: '没有认出的文字，看图填写；不填则不写入',
  unsure: (percent: number) => `把握 ${percent}%`,
  crop: '这一行在原图中的样子',
  changed: '有修改，下载时自动写入结果',
  hint: '点图片或文字选中一行；Enter 下一行，清空一行即删去',
  preview: '预览 Word',
};

const en: typeof zh = {
  label: 'Correct the text',
  opening: 'Reading what was recognised…',
  failed: 'The recognised lines cannot be read right now; download the result instead',
  noPicture: 'The browser cannot show this page; compare with your copy',
  absent: 'The picture is no longer on this page; compare with your copy',
  page: (number) => `Page ${number}`,
  choosePage: 'Page',
  showPicture: 'Show picture',
  hidePicture: 'Hide picture',
  tools: 'Changes',
  undo: 'Undo',
  redo: 'Redo',
  doubtful: (count) =>
    count > 0 ? `${count} doubtful ${count === 1 ? 'line' : 'lines'}` : 'No doubtful lines',
  nextDoubt: 'Next doubtful line',
  confirm: 'It is right',
  line: (number) => `Line ${number}`,
  unread: 'Could not be read: type what the picture says, or leave it out',
  unsure: (percent) => `${percent}% sure`,
  crop: 'This line in the picture',
  changed: 'Changed; downloads carry your corrections',
  hint: 'Press the picture or a line to choose it; Enter goes on, an emptied line is left out',
  preview: 'Preview Word',
};

export type LineWords = typeof zh;

export const lineWords = (lang: Lang): LineWords => (lang === 'zh' ? zh : en);
