/** How the account and member calls answer; times in ms since the epoch, money in fen. */
export type Membership = {
  active: boolean;
  expired: boolean;
  expiresAt: number | null;
  packageName: string | null;
};

export type User = {
  id: string;
  /** Masked: `a***@qq.com`, `138****0000`. */
  account: string;
  nickname: string;
  avatar: string | null;
  member: Membership;
  /** Status of the newest order, null without one. */
  payStatus: number | null;
};

export type Restriction = 1 | 2 | 3;
/** What the membership dialog is opened for: a restriction, or a result downloaded too often. */
export type Limit = Restriction | 'downloads';
export type MembershipWish = {
  restriction?: Limit;
  /** The package that is chosen first. */
  packageId?: string;
};

export const ORDER_STATUS = { UNPAID: 1, PAID: 2, CLOSED: 3, REFUNDED: 4 } as const;

export type SentCode = { sentTo: string; validSeconds: number; waitSeconds: number };

export type QrStatus = 'WAITING' | 'SCANNED' | 'CONFIRMED' | 'EXPIRED';
export type QrCode = { qrId: string; url: string; svg: string; expiresAt: number };
export type QrCheck = { status: QrStatus; user: User | null };
export type QrRequest = {
  status: QrStatus;
  device: string;
  place: string;
  sameNetwork: boolean;
  createdAt: number;
};

export type MemberPackage = {
  id: string;
  name: string;
  months: number;
  price: number;
  originalPrice: number;
  perks: string[];
};
export type MemberPackages = { packages: MemberPackage[]; membership: Membership | null };

export type Preorder = {
  preorderId: string;
  amount: number;
  expiresAt: number;
  packageId: string;
  packageName: string;
  months: number;
  unionUrl: string;
  unionSvg: string;
};

export type WalletOrder = {
  orderNo: string;
  amount: number;
  packageName: string;
  payUrl: string | null;
  codeUrl: string | null;
  codeSvg: string | null;
  jsapi: Record<string, string> | null;
  expiresAt: number;
};

export type Paid = {
  orderNo: string;
  status: number;
  paidAt: number | null;
  amount: number;
  packageName: string;
};
