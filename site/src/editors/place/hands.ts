/** The handwriting faces of cluster/hands.py, as style sheets name them; what a Latin one lacks the first one draws. */
export const HANDS = {
  'ma-shan-zheng': '"Ma Shan Zheng"',
  'zhi-mang-xing': '"Zhi Mang Xing", "Ma Shan Zheng"',
  'liu-jian-mao-cao': '"Liu Jian Mao Cao", "Ma Shan Zheng"',
  'long-cang': '"Long Cang", "Ma Shan Zheng"',
  caveat: 'Caveat, "Ma Shan Zheng"',
  'dancing-script': '"Dancing Script", "Ma Shan Zheng"',
};

export type Hand = keyof typeof HANDS;

export const isHand = (family: string): family is Hand => family in HANDS;

/** Their style sheets: each names many files, of which a browser loads those whose letters are shown. */
const SHEETS: Record<Hand, () => Promise<unknown>> = {
  'ma-shan-zheng': () => import('@fontsource/ma-shan-zheng/400.css'),
  'zhi-mang-xing': () => import('@fontsource/zhi-mang-xing/400.css'),
  'liu-jian-mao-cao': () => import('@fontsource/liu-jian-mao-cao/400.css'),
  'long-cang': () => import('@fontsource/long-cang/400.css'),
  caveat: () => import('@fontsource/caveat/latin-400.css'),
  'dancing-script': () => import('@fontsource/dancing-script/latin-400.css'),
};

/** Resolves when the letters of a text can be drawn in a face. */
export async function loadHand(hand: Hand, text: string): Promise<void> {
  await Promise.all([SHEETS[hand](), SHEETS['ma-shan-zheng']()]);
  await document.fonts.load(`100px ${HANDS[hand]}`, text);
}
