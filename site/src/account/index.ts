/** What the rest of the site needs of accounts. The dialogs are fetched when they are opened. */
export { type AccountState, account } from './store';
export type { Membership, Restriction, User } from './types';
export { useAccount } from './useAccount';
export { notePayStatus, reloadAccount } from './watch';
export { asMember, openMembership, openSignIn, signOut } from './open';
