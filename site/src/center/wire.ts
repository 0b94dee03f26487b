import type { Wallet } from '../account/calls';

/** An order as getUserOrders lists it; `payable` while its preorder lives. */
export type Order = {
  orderNo: string;
  preorderId: string;
  packageId: string;
  packageName: string;
  months: number;
  amount: number;
  status: number;
  wallet: Wallet;
  createdAt: number;
  paidAt: number | null;
  expiresAt: number;
  payable: boolean;
  transferred: boolean;
};
