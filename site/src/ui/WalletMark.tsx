import type { ReactNode } from 'react';

const MARKS: Record<'alipay' | 'weixin', [string, ReactNode]> = {
  alipay: [
    '#1677ff',
    <path
      key="mark"
      d="M7 8.5h12M13 6v6.2M8.2 12.2h9.2c-1 4-4.400 6.800-9 7.600M9.500 14.200c2 2.800 5 4.600 9.200 5.400"
      fill="none"
      stroke="#fff"
      strokeWidth="1.9"
      strokeLinecap="round"
    />,
  ],
  weixin: [
    '#07a850',
    <g key="mark" fill="#fff">
      <path d="M10.800 6.500c-3.500 0-6.300 2.300-6.300 5.100 0 1.600.9 3 2.300 3.900l-.5 1.900 2.200-1.100c.7.2 1.500.3 2.300.3 3.500 0 6.300-2.200 6.300-5s-2.800-5.100-6.300-5.100z" />
      <path
        d="M21.800 15.800c0-2.200-2.100-4-4.800-4.200-.2 2.900-2.800 5.300-6.200 5.500.8 1.700 2.900 2.900 5.300 2.900.6 0 1.200-.1 1.800-.2l1.800.9-.4-1.600c1.500-.7 2.500-2 2.500-3.300z"
        opacity=".85"
      />
    </g>,
  ],
};

/** The sign of a wallet, beside its name. */
export function WalletMark({ wallet, size = 26 }: { wallet: 'alipay' | 'weixin'; size?: number }) {
  const [colour, mark] = MARKS[wallet];
  return (
    <svg width={size} height={size} viewBox="0 0 26 26" aria-hidden="true" className="shrink-0">
      <rect width="26" height="26" rx="7" fill={colour} />
      {mark}
    </svg>
  );
}
