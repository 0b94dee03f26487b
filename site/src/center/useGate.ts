import { useCallback, useEffect, useRef } from 'react';
import { openSignIn, useAccount } from '../account';
import { mayBeSignedIn } from '../account/hint';

export type Gate = 'loading' | 'signedOut' | 'unreachable' | 'open';

/** A page for accounts: a visitor is asked to sign in, once by itself. `id` tells one account from another. */
export function useGate(reason: string): { gate: Gate; id: string | null; signIn(): void } {
  const { state, user } = useAccount();
  const asked = useRef(false);
  const signIn = useCallback(() => void openSignIn({ reason }), [reason]);
  const gate = gateOf(state);
  useEffect(() => {
    if (gate === 'signedOut' && !asked.current) signIn();
    // Who signs out here wanted to, and is not asked to sign in again.
    if (gate !== 'loading') asked.current = true;
  }, [gate, signIn]);
  return { gate, id: user?.id ?? null, signIn };
}

function gateOf(state: 'loading' | 'visitor' | 'user'): Gate {
  if (state === 'loading') return 'loading';
  if (state === 'user') return 'open';
  // An account that could not be asked about: an outage, not a visitor.
  return mayBeSignedIn() ? 'unreachable' : 'signedOut';
}
