import { openMembership, openSignIn, signOut, warmDialogs } from './open';
import { account } from './store';
import type { Membership, User } from './types';

/** `2027-03-01` in the page's language. */
function dayOf(ms: number): string {
  return new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle: 'medium' }).format(ms);
}

type Texts = Record<string, string | undefined>;

export function standingText({ active, expired, expiresAt }: Membership, texts: Texts): string {
  const text = active ? texts.memberUntil : expired ? texts.memberExpired : texts.notMember;
  return (text ?? '').replace('{date}', expiresAt ? dayOf(expiresAt) : '').trim();
}

const initialOf = (user: User): string => [...(user.nickname || user.account)][0]?.toUpperCase() ?? '';

function fill(slot: HTMLElement, name: string, text: string): void {
  for (const place of slot.querySelectorAll(`[data-fill=${name}]`)) place.textContent = text;
}

function drawUser(slot: HTMLElement, user: User): void {
  fill(slot, 'initial', initialOf(user));
  fill(slot, 'account', user.account);
  fill(slot, 'nickname', user.nickname);
  fill(slot, 'standing', standingText(user.member, slot.dataset));
  const label = (user.member.active || user.member.expired ? slot.dataset.renew : slot.dataset.buy) ?? '';
  fill(slot, 'offer', label);
  slot.toggleAttribute('data-member', user.member.active);
}

function draw(slot: HTMLElement): void {
  const { state, user } = account.get();
  if (state === 'loading') return;
  slot.dataset.state = state;
  if (user) {
    document.documentElement.dataset.account = 'user';
    drawUser(slot, user);
  } else {
    delete document.documentElement.dataset.account;
    slot.querySelector<HTMLElement>('[popover]')?.hidePopover();
  }
}

async function leave(slot: HTMLElement): Promise<void> {
  try {
    await signOut();
  } catch {
    const { notify } = await import('../ui/notify');
    await notify(slot.dataset.signOutFailed ?? '', { type: 'error', autoClose: 5000 });
  }
}

/** Buttons that open a dialog: its code is fetched when the pointer comes near, and on a slow line they show it. */
function opens(selector: string, open: () => void): void {
  for (const button of document.querySelectorAll<HTMLElement>(selector)) {
    button.addEventListener('pointerenter', () => void warmDialogs(), { once: true });
    button.addEventListener('click', async () => {
      button.setAttribute('aria-busy', 'true');
      await warmDialogs();
      button.removeAttribute('aria-busy');
      open();
    });
  }
}

/** The account's place in the header: drawn by the server, filled here. */
export function watchHeader(): void {
  const slot = document.querySelector<HTMLElement>('[data-slot=account]');
  if (!slot) return;
  account.subscribe(() => draw(slot));
  opens('[data-sign-in]', () => void openSignIn());
  opens('[data-membership]', () => {
    slot.querySelector<HTMLElement>('[popover]')?.hidePopover();
    void openMembership();
  });
  slot.querySelector('[data-sign-out]')?.addEventListener('click', () => void leave(slot));
}
