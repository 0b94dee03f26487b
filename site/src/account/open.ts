import { tellLost } from '../scripts/lost';
import { account } from './store';
import { problemOf } from '../api/problem';
import type { Limit, MembershipWish } from './types';
import { calls, noteUser } from './watch';

const dialogs = () =>
  import('./dialogs/mount').catch((error) => {
    tellLost();
    throw error;
  });

/** Fetches the dialogs' code ahead of a click. */
export const warmDialogs = (): Promise<unknown> => dialogs().catch(() => undefined);

/** Opens the sign-in dialog; true when somebody is signed in afterwards. `reason`: a sentence under the title. */
export async function openSignIn(options: { reason?: string } = {}): Promise<boolean> {
  if (account.get().state === 'user') return true;
  return (await dialogs()).signIn(options);
}

/** Opens the packages; true when the membership is active afterwards. */
export async function openMembership(options: MembershipWish = {}): Promise<boolean> {
  return (await dialogs()).membership(options);
}

const DOWNLOAD_LIMIT = 3001;

function limitOf(error: unknown): Limit | undefined {
  const { code, restriction } = problemOf(error);
  return code === DOWNLOAD_LIMIT ? 'downloads' : restriction;
}

/** Does a deed; one that the rights refuse is done again when the dialog made a member. */
export async function asMember<T>(deed: () => Promise<T>): Promise<T> {
  try {
    return await deed();
  } catch (error) {
    const restriction = limitOf(error);
    if (!restriction || !(await openMembership({ restriction }))) throw error;
    return deed();
  }
}

/** Throws a Problem, and leaves the person signed in, when the API cannot be reached. */
export async function signOut(): Promise<void> {
  await (await calls()).logout();
  noteUser(null);
}
