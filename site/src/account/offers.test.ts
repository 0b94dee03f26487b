import { describe, expect, it } from 'vitest';
import { restrictionOf } from './early';
import { standingText } from './header';
import { bestOf, headingOf, insideWallet } from './offers';
import { stepAfter } from './page/QrConfirm';
import type { Membership, MemberPackage } from './types';
import { phaseOf } from './useQr';
import { accountWords } from './words';

const NONE: Membership = { active: false, expired: false, expiresAt: null, packageName: null };
const ACTIVE: Membership = { active: true, expired: false, expiresAt: 1, packageName: 'Yearly' };
const ENDED = Date.UTC(2020, 5, 15, 12);
const EXPIRED: Membership = { active: false, expired: true, expiresAt: ENDED, packageName: 'Yearly' };
const t = accountWords.en;
const titleOf = (restriction: 1 | 2 | 3 | 'downloads' | undefined, membership: Membership | null) =>
  headingOf(restriction, membership, () => 'DAY', t).title;

describe('the membership dialog says', () => {
  it('why it came', () => {
    expect(titleOf(1, NONE)).toBe(t.membershipTitle1);
    expect(titleOf(2, null)).toBe(t.membershipTitle2);
    expect(titleOf(3, EXPIRED)).toBe(t.membershipTitle3);
    expect(titleOf('downloads', EXPIRED)).toBe(t.membershipTitle4);
  });

  it('how the membership stands when somebody opened it', () => {
    expect(titleOf(undefined, null)).toBe(t.membershipTitle);
    expect(titleOf(undefined, EXPIRED)).toBe(t.membershipTitle3);
    expect(headingOf(undefined, ACTIVE, () => 'DAY', t)).toEqual({
      title: t.renewTitle,
      lead: 'You are a member until DAY. Time you buy now is added after that.',
    });
  });
});

it('chooses the package that is cheapest by the month first', () => {
  const plan = (id: string, months: number, price: number): MemberPackage => ({
    ...{ id, name: id, months, price, originalPrice: price, perks: [] },
  });
  expect(bestOf([plan('month', 1, 1900), plan('year', 12, 11800), plan('quarter', 3, 4500)])?.id).toBe(
    'year',
  );
  expect(bestOf([])).toBeNull();
});

it('knows a wallet’s own browser', () => {
  expect(insideWallet('Mozilla/5.0 (iPhone) MicroMessenger/8.0')).toBe(true);
  expect(insideWallet('Mozilla/5.0 (Linux; Android 14) AlipayClient/10.5')).toBe(true);
  expect(insideWallet('Mozilla/5.0 (iPhone) Version/18.0 Safari/604.1')).toBe(false);
});

it('takes a restriction plain or wrapped, and nothing else', () => {
  expect([1, { restriction: 2 }, 0, null, { restriction: '3' }].map(restrictionOf)).toEqual([
    ...[1, 2, undefined, undefined, undefined],
  ]);
});

it('tells the membership in the menu', () => {
  document.documentElement.lang = 'en';
  const texts = { memberUntil: 'until {date}', memberExpired: 'ended {date}', notMember: 'free' };
  expect(standingText(NONE, texts)).toBe('free');
  expect(standingText({ ...ACTIVE, expiresAt: Date.UTC(2027, 10, 21, 12) }, texts)).toContain('2027');
  expect(standingText(EXPIRED, texts)).toMatch(/^ended .*2020/);
});

describe('a QR code', () => {
  it('is worth nothing once somebody else took its confirmation', () => {
    expect(phaseOf({ status: 'WAITING', user: null })).toBe('waiting');
    expect(phaseOf({ status: 'SCANNED', user: null })).toBe('scanned');
    expect(phaseOf({ status: 'CONFIRMED', user: null })).toBe('expired');
    expect(phaseOf({ status: 'EXPIRED', user: null })).toBe('expired');
  });

  it('can be confirmed only while it is open', () => {
    expect(stepAfter('scan', 'SCANNED')).toBe('open');
    expect(stepAfter('scan', 'EXPIRED')).toBe('over');
    expect(stepAfter('confirm', 'CONFIRMED')).toBe('confirmed');
    expect(stepAfter('confirm', 'EXPIRED')).toBe('over');
    expect(stepAfter('refuse', 'EXPIRED')).toBe('refused');
  });
});
