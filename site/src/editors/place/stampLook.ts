import type { Lang } from '../../workbench/contract';
import type { Family } from './advances';
import { type Drawable, type Frame, framedMark, textMark, wideMark } from './drawMark';
import { filled, linesOf } from './marks';
import { chinese } from './numerals';
import { localDate, MM, stemOf } from './scene';
import { onGrid } from './seam';
import type { Art } from './useArt';

/** What a stamp shows, as cluster/tools/stamp.py and cluster/engines/marks/stamp.py state it. */

type Look = { font: Family; size: number; bold: boolean; colour: string; frame: Frame };
export type DateFormat = 'iso' | 'dots' | 'zh' | 'chinese' | 'en';
export type StampLook =
  | { kind: 'seal'; file: string; width: number; clear: boolean }
  | ({ kind: 'text'; preset: string; text: string; dated: boolean } & Look)
  | ({ kind: 'date'; day: string; format: DateFormat } & Look);

/** Held to the contract by model.test.ts. */
export const PRESETS: Record<string, Record<Lang, string>> = {
  reviewed: { zh: '已审核', en: 'REVIEWED' },
  approved: { zh: '已批准', en: 'APPROVED' },
  void: { zh: '作废', en: 'VOID' },
  confidential: { zh: '机密', en: 'CONFIDENTIAL' },
  paid: { zh: '已付款', en: 'PAID' },
  received: { zh: '已收讫', en: 'RECEIVED' },
  copy: { zh: '副本', en: 'COPY' },
  original: { zh: '正本', en: 'ORIGINAL' },
  draft: { zh: '草稿', en: 'DRAFT' },
  final: { zh: '定稿', en: 'FINAL' },
  urgent: { zh: '加急', en: 'URGENT' },
  sample: { zh: '样本', en: 'SAMPLE' },
  controlled: { zh: '受控文件', en: 'CONTROLLED COPY' },
  reference: { zh: '仅供参考', en: 'FOR REFERENCE ONLY' },
};
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

export function dated(day: string, form: DateFormat): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  switch (form) {
    case 'zh':
      return `${year}年${month}月${date}日`;
    case 'chinese': {
      const digits = String(year)
        .padStart(4, '0')
        .replace(/\d/g, (digit) => '〇一二三四五六七八九'[Number(digit)] ?? '');
      return `${digits}年${chinese(month)}月${chinese(date)}日`;
    }
    case 'en':
      return `${date} ${MONTHS[month - 1]} ${year}`;
    case 'dots':
      return day.replaceAll('-', '.');
    case 'iso':
      return day;
  }
}

function linesFor(look: Exclude<StampLook, { kind: 'seal' }>, name: string, lang: Lang): string[] {
  const today = localDate();
  if (look.kind === 'date') return [dated(look.day || today, look.format)];
  const own = look.preset === 'own';
  const lines = own
    ? linesOf(filled(look.text, { date: today, file: stemOf(name) }))
    : [PRESETS[look.preset]?.[lang] ?? ''];
  return look.dated ? [...lines, today] : lines;
}

/** The stamp so many times as large, or null while there is nothing to draw. */
export function stampMark(
  look: StampLook,
  { art, name, lang }: { art: Art | null; name: string; lang: Lang },
  scale = 1,
): Drawable | null {
  if (look.kind === 'seal')
    return art && look.width > 0 ? wideMark(art, onGrid(look.width * MM) * scale) : null;
  const size = look.size * scale;
  const lines = linesFor(look, name, lang);
  if (!(size > 0) || lines.join('').trim() === '') return null;
  const text = textMark({ lines, size, family: look.font, bold: look.bold, colour: look.colour });
  return framedMark(text, look.frame, size, look.colour);
}
