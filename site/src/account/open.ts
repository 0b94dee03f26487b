import { account } from './store';
import type { Restriction } from './types';
import { calls, noteUser } from './watch';

const dialogs = () => import('./dialogs/mount');

/** Fetches the dialogs' code ahead of a click. */
export const warmDialogs = (): Promise<unknown> => dialogs().catch(() => undefined);

/** Opens the sign-in dialog; true when somebody is signed in afterwards. `reason`: a sentence under the title. */
export async function openSignIn(options: { reason?: string } = {}): Promise<boolean> {
  if (account.get().state === 'user') return true;
  return (await dialogs()).signIn(options);
}

export type MembershipWish = {
  restriction?: Restriction /** The package that is chosen first. */;
  packageId?: string;
};

/** Opens the packages; true when the membership is active afterwards. */
export async function openMembership(options: MembershipWish = {}): Promise<boolean> {
  return (await dialogs()).membership(options);
}

/** Throws a Problem, and leaves the person signed in, when the API cannot be reached. */
export async function signOut(): Promise<void> {
  await (await calls()).logout();
  noteUser(null);
}
