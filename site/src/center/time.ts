import type { Lang } from '../lib/lang';
import { fill } from '../workbench/words';
import type { CenterWords } from './words';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Time left as people say it: `5 小时 12 分`, `12 分钟`; minutes are rounded down, never to zero. */
export function leftText(ms: number, t: CenterWords): string {
  const minutes = Math.max(1, Math.floor(ms / MINUTE));
  if (ms < HOUR) return fill(t.minutesLeft, { m: minutes });
  const rest = minutes % 60;
  const hours = Math.floor(minutes / 60);
  return rest === 0 ? fill(t.hoursLeft, { h: hours }) : fill(t.hoursMinutesLeft, { h: hours, m: rest });
}

const LOCALES: Record<Lang, string> = { zh: 'zh-CN', en: 'en-GB' };

/** Day and time on the visitor's own clock: today by name, the year only when it is another one. */
export function momentText(ms: number, lang: Lang, t: CenterWords, now = Date.now()): string {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(LOCALES[lang], options).format(ms);
  const time = format({ hour: '2-digit', minute: '2-digit', hour12: false });
  if (new Date(ms).toDateString() === new Date(now).toDateString()) return `${t.today} ${time}`;
  const sameYear = new Date(ms).getFullYear() === new Date(now).getFullYear();
  const month = lang === 'zh' ? 'long' : 'short';
  return `${format({ ...(sameYear ? {} : { year: 'numeric' }), month, day: 'numeric' })} ${time}`;
}
