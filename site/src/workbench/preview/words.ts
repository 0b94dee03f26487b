import type { Lang } from '../../lib/lang';

const zh = {
  preview: '预览',
  opening: '正在打开…',
  pageOf: '第 {page} / {pages} 页',
  zoomIn: '放大',
  zoomOut: '缩小',
  fit: '适合窗口',
  absent: '这个文件在云端，这里不再显示，可以直接开始',
  noPicture: '这种文件要处理后才能预览',
  password_required: '文件有密码，输入后即可预览',
  password_wrong: '密码不正确，无法预览',
  damaged_file: '页面无法预览，可能已损坏；仍可以试着处理',
  before: '压缩前',
  after: '压缩后',
  compare: '拖动，比较压缩前后',
  previous: '上一页',
  next: '下一页',
  show: '显示预览',
  showLead: '预览要先取回结果；随后下载不会再计一次。',
  lost: '结果暂时取不到，请直接下载。',
  resultLocked: '结果已加密，打开时要输入密码。',
  noResultPicture: '这种文件不能在这里预览，请下载后打开。',
  enlarge: '放大 {name}',
};

const en: typeof zh = {
  preview: 'Preview',
  opening: 'Opening…',
  pageOf: 'Page {page} of {pages}',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit to window',
  absent: 'This file is already on our server, so it isn’t shown here. You can go ahead.',
  noPicture: 'There is no preview for this kind of file before it is processed',
  password_required: 'This file has a password. Enter it to see the pages',
  password_wrong: 'That password is wrong, so there is no preview',
  damaged_file: 'The pages can’t be shown; the file may be damaged. You can still try it',
  before: 'Before',
  after: 'After',
  compare: 'Drag to compare before and after',
  previous: 'Previous page',
  next: 'Next page',
  show: 'Show preview',
  showLead: 'The preview fetches the result first; downloading it afterwards doesn’t count again.',
  lost: 'The result can’t be fetched right now. Please download it instead.',
  resultLocked: 'The result is encrypted: it takes the password to open.',
  noResultPicture: 'This kind of file can’t be shown here. Download it to open it.',
  enlarge: 'Enlarge {name}',
};

export type PreviewWords = typeof zh;
export const previewWords: Record<Lang, PreviewWords> = { zh, en };
