import { expect, it } from 'vitest';
import type { ReceiptLine } from '../api/types';
import { panelWords } from './panels/words';
import { trustOf } from './receipt';
import { fill } from './words';

const line = (kind: ReceiptLine['kind'], what: string, text: string, facts = {}): ReceiptLine => ({
  kind,
  what,
  text,
  facts,
  input: 0,
});
const kept = (what: string) => line('kept', what, `${what} 3 → 3`, { before: 3, after: 3 });
const told = (lines: ReceiptLine[], lang: 'zh' | 'en' = 'zh') => trustOf(lines, lang, panelWords[lang], fill);

it('names what is still there, in one breath', () => {
  const lines = [
    kept('bookmarks'),
    kept('links'),
    kept('fields'),
    line('changed', 'pages_turned', '已旋转 3 页'),
  ];
  expect(told(lines)).toEqual({ worried: false, text: '书签、链接和表单都在 · 已旋转 3 页' });
  expect(told(lines.slice(0, 3), 'en').text).toBe('Bookmarks, links, and form fields kept');
});

it('begins with what was lost', () => {
  const broken = line('lost', 'signature_broken', '1 个数字签名失效');
  expect(told([kept('links'), broken])).toEqual({ worried: true, text: '1 个数字签名失效 · 链接都在' });
  expect(told([broken, line('changed', 'repaired', '已自动修复')]).text).toBe('有 2 处需要留意');
});

it('promises nothing that no fact carries', () => {
  expect(told([]).text).toBe('没有需要留意的地方');
  expect(told([line('changed', 'size', '大小 4 MB → 1 MB')]).text).toBe('没有需要留意的地方');
  expect(told([line('kept', 'links', '链接 0 → 0', { before: 0, after: 0 })]).text).toBe(
    '没有需要留意的地方',
  );
});
