import { Client } from '../api/client';
import type { Lang } from '../lib/lang';
import type {
  MemberPackages,
  Paid,
  Preorder,
  QrCheck,
  QrCode,
  QrRequest,
  SentCode,
  User,
  WalletOrder,
} from './types';

export type Wallet = 'alipay' | 'weixin';

/** The calls about accounts and membership; `after` runs when an answer is there, for what it did to the cookies. */
export class AccountCalls {
  private readonly client: Client;

  constructor(
    lang: Lang,
    private readonly after: () => void,
  ) {
    this.client = new Client(lang);
  }

  private async get<T>(path: string, query: Record<string, string | undefined> = {}): Promise<T> {
    try {
      return await this.client.get<T>(path, query);
    } finally {
      this.after();
    }
  }

  /** Without the note about cookies: its caller is that note. */
  user = () => this.client.get<User>('user/user/getUser');
  packages = () => this.client.get<MemberPackages>('member/memberpackage/getMemberPackage');

  sendCode = (account?: string) => this.get<SentCode>('user/user/sendDynamicPwd', { account });

  /** These change who is here: their callers tell the page themselves. */
  signIn = (account: string, pwd: string) =>
    this.client.get<{ user: User }>('user/user/dynamicPwdLogin', { account, pwd });
  checkQr = (qrId: string) => this.client.get<QrCheck>('user/user/checkLoginStatus', { qrId });
  logout = () => this.client.get<unknown>('user/user/logout');
  deleteAccount = (pwd: string) => this.client.get<unknown>('user/user/deleteAccount', { pwd });

  qrCode = () => this.get<QrCode>('user/user/getLoginQrCode');
  answerQr = (qrId: string, step: 'scan' | 'confirm' | 'refuse') =>
    this.get<QrRequest>('user/user/confirmLogin', { qrId, step });

  transfer = (account: string, pwd: string) =>
    this.get<{ to: string; expiresAt: number }>('member/member/transfer', { account, pwd });

  preorder = (packageId: string) => this.get<Preorder>('member/preorder/createPreorder', { packageId });
  walletOrder = (wallet: Wallet, preorderId: string, channel: string) =>
    this.get<WalletOrder>(`member/order/create${wallet === 'alipay' ? 'Alipay' : 'Weixin'}Order`, {
      preorderId,
      channel,
    });
  payStatus = (preorderId: string) => this.get<Paid | null>('member/pay/checkPayStatus', { preorderId });
}
