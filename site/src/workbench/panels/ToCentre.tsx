import { ListChecks, LogIn } from 'lucide-react';
import { openSignIn } from '../../account/open';
import { useAccount } from '../../account/useAccount';
import { localPath } from '../../lib/lang';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';

/** The way to all tasks: the centre is for accounts, so a visitor is offered one and stays where the result is. */
export function ToCentre({ bench, t }: { bench: Bench; t: IslandWords }) {
  const { state } = useAccount();
  const { main, lang } = bench.props;
  if (state === 'loading') return null;
  if (state === 'visitor') {
    return (
      <button
        type="button"
        className="btn btn-quiet -mx-3 justify-self-start px-3"
        onClick={() => void openSignIn()}
        data-testid="centre-offer"
      >
        <LogIn size={18} aria-hidden="true" />
        {t.centreOffer}
      </button>
    );
  }
  return (
    <a
      href={main + localPath(lang, '/tasks')}
      className="btn btn-quiet -mx-3 justify-self-start px-3"
      data-testid="to-centre"
    >
      <ListChecks size={18} aria-hidden="true" />
      {t.seeTasks}
    </a>
  );
}
