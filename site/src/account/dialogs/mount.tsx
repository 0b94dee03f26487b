import type { ReactNode } from 'react';
import { createRoot } from 'react-dom/client';
import { account } from '../store';
import type { MembershipWish } from '../types';
import { siteLang } from '../watch';
import { MembershipDialog } from './Membership';
import { SignIn } from './SignIn';

/** Origin before the links of a sub-site, which serves only its `/`. */
const mainSite = () => document.querySelector<HTMLElement>('[data-slot=account]')?.dataset.main ?? '';

/** Shows something until it closes itself with a value. */
function show<T>(draw: (close: (value: T) => void) => ReactNode): Promise<T> {
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  return new Promise<T>((resolve) => {
    root.render(draw(resolve));
  }).finally(() => {
    root.unmount();
    host.remove();
  });
}

/** One dialog of a kind at a time: a second wish waits for the first. */
function single<Options>(
  open: (options: Options) => Promise<boolean>,
): (options: Options) => Promise<boolean> {
  let running: Promise<boolean> | null = null;
  return (options) => {
    running ??= open(options).finally(() => {
      running = null;
    });
    return running;
  };
}

export const signIn = single<{ reason?: string }>(({ reason }) =>
  show((close) => <SignIn lang={siteLang()} main={mainSite()} reason={reason} close={close} />),
);

const isMember = () => account.get().user?.member.active ?? false;

export const membership = single<MembershipWish>((wish) =>
  show<void>((close) => (
    <MembershipDialog lang={siteLang()} {...wish} close={() => close()} signIn={signIn} />
  )).then(isMember),
);
