import type { Lang } from '../lib/lang';

const zh = {
  signIn: '登录',
  account: '我的账号',
  membership: '会员',
  member: '会员',
  memberUntil: '会员有效期至 {date}',
  memberExpired: '会员已于 {date} 到期',
  notMember: '免费账号',
  buy: '开通会员',
  renew: '续费',
  tasks: '我的任务',
  orders: '我的订单',
  settings: '账号设置',
  signOut: '退出登录',
  signOutFailed: '没有退出成功，请稍后再试。',
};

const en: typeof zh = {
  signIn: 'Sign in',
  account: 'My account',
  membership: 'Membership',
  member: 'Member',
  memberUntil: 'Member until {date}',
  memberExpired: 'Membership ended {date}',
  notMember: 'Free account',
  buy: 'Become a member',
  renew: 'Renew',
  tasks: 'My tasks',
  orders: 'My orders',
  settings: 'Account settings',
  signOut: 'Sign out',
  signOutFailed: 'Signing out failed. Please try again later.',
};

export const headerWords: Record<Lang, typeof zh> = { zh, en };
