import { useSyncExternalStore } from 'react';
import { type AccountState, account, LOADING, memberPackages } from './store';
import type { MemberPackages } from './types';

/** Who is signed in; draws again when that changes, also in another tab. */
export function useAccount(): AccountState {
  return useSyncExternalStore(account.subscribe, account.get, () => LOADING);
}

export function useMemberPackages(): MemberPackages | null {
  return useSyncExternalStore(memberPackages.subscribe, memberPackages.get, () => null);
}
