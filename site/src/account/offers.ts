import { monthlyOf } from './format';
import type { Limit, Membership, MemberPackage } from './types';
import type { AccountWords } from './words';
import { say } from './words';

export type Heading = { title: string; lead: string };

/** What the membership dialog says: why it came, or how the membership stands. */
export function headingOf(
  restriction: Limit | undefined,
  membership: Membership | null,
  day: (ms: number) => string,
  t: AccountWords,
): Heading {
  if (restriction === 1) return { title: t.membershipTitle1, lead: t.membershipLead1 };
  if (restriction === 2) return { title: t.membershipTitle2, lead: t.membershipLead2 };
  if (restriction === 'downloads') return { title: t.membershipTitle4, lead: t.membershipLead4 };
  if (restriction === 3 || membership?.expired) return { title: t.membershipTitle3, lead: t.membershipLead3 };
  if (membership?.active && membership.expiresAt) {
    return { title: t.renewTitle, lead: say(t.renewLead, { date: day(membership.expiresAt) }) };
  }
  return { title: t.membershipTitle, lead: t.membershipLead };
}

/** The package that is cheapest by the month is chosen first. */
export function bestOf(packages: MemberPackage[]): MemberPackage | null {
  const monthly = ({ price, months }: MemberPackage) => monthlyOf(price, months);
  return packages.toSorted((a, b) => monthly(a) - monthly(b))[0] ?? null;
}

/** Inside a wallet's own browser only that wallet can be opened, by the cashier that knows how. */
export const insideWallet = (agent: string): boolean => /MicroMessenger|AlipayClient/i.test(agent);
