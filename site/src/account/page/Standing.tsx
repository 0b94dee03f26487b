import { Crown } from 'lucide-react';
import type { Lang } from '../../lib/lang';
import { dayOf } from '../format';
import { openMembership } from '../open';
import type { Membership } from '../types';
import { say } from '../words';
import { type PageWords, pageWords } from './words';

type Kind = 'active' | 'expired' | 'none';

export const kindOf = ({ active, expired }: Membership): Kind =>
  active ? 'active' : expired ? 'expired' : 'none';

function textOf(member: Membership, lang: Lang, t: PageWords): string {
  const text = { active: t.activeText, expired: t.expiredText, none: t.noneText }[kindOf(member)];
  return say(text, { date: member.expiresAt ? dayOf(member.expiresAt, lang) : '' });
}

const CHIP: Record<Kind, string> = {
  active: 'bg-primary text-on-primary',
  expired: 'bg-warn-tint text-warn',
  none: 'bg-sunken text-ink-soft',
};

/** How the membership stands, and the way to more of it. */
export function Standing({ member, lang }: { member: Membership; lang: Lang }) {
  const t = pageWords[lang];
  const kind = kindOf(member);
  return (
    <section
      className={`card p-5 ${kind === 'active' ? 'bg-gradient-to-br from-tint-strong to-tint' : ''}`}
      data-testid="standing"
      data-kind={kind}
    >
      <div className="flex items-center gap-2.5">
        <Crown size={22} strokeWidth={1.75} className="text-primary" aria-hidden="true" />
        <h2 className="flex-1 text-lg">{member.packageName ?? t.membership}</h2>
        <span className={`rounded-full px-2.5 py-0.5 text-xs font-semibold ${CHIP[kind]}`}>{t[kind]}</span>
      </div>
      <p className="mt-2 text-ink-soft">{textOf(member, lang, t)}</p>
      <button
        type="button"
        className={`btn mt-4 w-full ${kind === 'active' ? 'btn-plain' : 'btn-primary'}`}
        onClick={() => void openMembership()}
        data-testid="standing-buy"
      >
        {kind === 'none' ? t.buy : t.renew}
      </button>
    </section>
  );
}
