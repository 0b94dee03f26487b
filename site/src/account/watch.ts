import type { Lang } from '../lib/lang';
import { accessToken, mayBeSignedIn, noteSignedIn } from './hint';
import { type AccountState, account, accountOf, memberPackages } from './store';
import type { User } from './types';

const CHANNEL = 'papercrane';

let token = '';
let channel: BroadcastChannel | null = null;
let turn = 0;
let unsure = false;

export const siteLang = (): Lang => (document.documentElement.dataset.lang === 'en' ? 'en' : 'zh');

/** The calls; what they do to the token is noticed when they are done. */
export async function calls() {
  const { AccountCalls } = await import('./calls');
  return new AccountCalls(siteLang(), noteToken);
}

function show(user: User | null): AccountState {
  const found = accountOf(user);
  account.set(found);
  return found;
}

async function askUser(): Promise<User | null> {
  try {
    const user = await (await calls()).user();
    unsure = false;
    return user;
  } catch (error) {
    unsure = (error as { data?: { code?: number } }).data?.code !== 401;
    if (!unsure) noteSignedIn(false);
    return null;
  }
}

/** Asks for the packages and the membership; a failure leaves what is known. True when they came. */
export async function reloadPackages(): Promise<boolean> {
  try {
    memberPackages.set(await (await calls()).packages());
    return true;
  } catch (error) {
    console.warn('member packages', error);
    return false;
  }
}

/** Asks who is signed in. Nobody is when that fails, or when nobody ever signed in here. */
export async function reloadAccount(): Promise<AccountState> {
  turn += 1;
  const mine = turn;
  token = accessToken();
  if (!mayBeSignedIn()) {
    noteSignedIn(false);
    return show(null);
  }
  const [user] = await Promise.all([askUser(), reloadPackages()]);
  token = accessToken();
  return mine === turn ? show(user) : account.get();
}

/** With the hint itself: what another tab stored may be seen here only after its message. */
const tellOthers = () => channel?.postMessage({ signedIn: mayBeSignedIn() });

/** After a call of ours: another token is another person. */
export function noteToken(): void {
  if (accessToken() === token) return;
  token = accessToken();
  tellOthers();
  void reloadAccount();
}

/** When the page is looked at again: who got no answer, as without network, asks once more. */
function lookAgain(): void {
  if (unsure) void reloadAccount();
  else noteToken();
}

/** What an answer said about who is here now: no need to ask again. */
export function noteUser(user: User | null): void {
  turn += 1;
  token = accessToken();
  noteSignedIn(user !== null);
  show(user);
  void reloadPackages();
  tellOthers();
}

/** A changed status of the newest order may have made a member. */
export async function notePayStatus(status: number | null): Promise<void> {
  const { user } = account.get();
  if (!user || user.payStatus === status) return;
  await reloadAccount();
  tellOthers();
}

function listen(): void {
  channel ??= new BroadcastChannel(CHANNEL);
  channel.onmessage = ({ data }) => {
    if (data.signedIn) noteSignedIn(true);
    void reloadAccount();
  };
}

/** An open channel would keep the page out of the browser's back-forward memory. */
function hangUp(): void {
  channel?.close();
  channel = null;
}

export function watchToken(): void {
  listen();
  addEventListener('pagehide', hangUp);
  addEventListener('pageshow', (event) => {
    if (!event.persisted) return;
    listen();
    lookAgain();
  });
  addEventListener('focus', lookAgain);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') lookAgain();
  });
  void reloadAccount();
}
