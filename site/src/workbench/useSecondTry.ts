import { useEffect } from 'react';
import { openMembership } from '../account/open';
import { account } from '../account/store';
import type { UserRights } from '../api/types';
import type { Action, State } from './state';

/** Who is here, and with which rights. */
function standing(): string {
  const { user } = account.get();
  return user ? `${user.id} ${user.member.active}` : '';
}

/** True when the dialog was left as somebody else, or as a member. */
async function changedByDialog(restriction: 1 | 2 | 3): Promise<boolean> {
  const before = standing();
  await openMembership({ restriction });
  return standing() !== before;
}

/**
 * A start that the rights refused opens the membership dialog, and goes ahead by itself when signing
 * in or paying there makes them allow it. A dialog that changes nothing ends that.
 */
export function useSecondTry(
  state: State,
  takes: 'each' | 'all',
  askRights: () => Promise<UserRights>,
  dispatch: (action: Action) => void,
): void {
  const refused = state.phase === 'failed' ? state : null;
  const { again, problem, rows } = refused ?? {};
  const restriction = problem?.restriction;
  const documents = takes === 'each' ? (rows?.length ?? 0) : 1;
  useEffect(() => {
    if (!again || !restriction) return;
    const allowed = () =>
      askRights().then(
        (rights) => rights.allowed && documents <= rights.maxDocuments,
        () => false,
      );
    const settle = async () => {
      if (again.late && (await allowed())) return true;
      return (await changedByDialog(restriction)) && allowed();
    };
    const { attempt } = again;
    void settle().then((may) => dispatch({ do: may ? 'allowed' : 'declined', attempt }));
  }, [again, restriction, documents, askRights, dispatch]);
}
