import type { Lang } from '../lib/lang';

const LOCALE: Record<Lang, string> = { zh: 'zh-CN', en: 'en' };

/** Fen as a price: whole amounts without decimals. */
export function priceOf(fen: number): string {
  const decimals = fen % 100 === 0 ? 0 : 2;
  return `¥${(fen / 100).toFixed(decimals)}`;
}

/** Price of one month in fen, to a tenth of a yuan, rounded up so that it never promises too much. */
export function monthlyOf(price: number, months: number): number {
  return months > 0 ? Math.ceil(price / months / 10) * 10 : price;
}

/** `¥8.3`: one decimal is enough for a price a month. */
export const monthlyText = (fen: number): string => `¥${Number((fen / 100).toFixed(1))}`;

export const dayOf = (ms: number, lang: Lang): string =>
  new Intl.DateTimeFormat(LOCALE[lang], { dateStyle: 'long' }).format(ms);

export const momentOf = (ms: number, lang: Lang): string =>
  new Intl.DateTimeFormat(LOCALE[lang], { dateStyle: 'medium', timeStyle: 'short' }).format(ms);

/** `29:05` of the time left; never below zero. */
export function clockOf(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

const HOLD = 30 * 60_000;
const SLACK = 60_000;

/** Until when a price is held, by a clock that may be wrong: what cannot be true is counted from now. */
export function heldUntil(expiresAt: number, now: number): number {
  const left = expiresAt - now;
  return left > 0 && left <= HOLD + SLACK ? expiresAt : now + HOLD;
}

/** Digits of what was typed or pasted, six at most; full-width digits count. */
export const digitsOf = (text: string): string => text.normalize('NFKC').replace(/\D/g, '').slice(0, 6);

/** SVG from the server as a picture: a picture runs no script. What was made to stand in HTML lacks the name space. */
export function pictureOf(svg: string): string {
  const whole = svg.includes('xmlns=') ? svg : svg.replace('<svg', '<svg xmlns="http://www.w3.org/2000/svg"');
  return `data:image/svg+xml,${encodeURIComponent(whole)}`;
}
