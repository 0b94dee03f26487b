import type { Lang } from '../../lib/lang';
import type { CenterWords } from '../words';

/** What the address asks for: to pay a preorder, or how an order came out. */
export type Asked = {
  preorderId: string | null;
  key: string | null;
  openid: string | null;
  /** What WeChat gives the page that it sends back after authorizing; good once. */
  code: string | null;
  orderNo: string | null;
  reason: string | null;
};

export type PartProps = { lang: Lang; asked: Asked; t: CenterWords };
