import { ArrowRight, SearchX } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { localPath } from '../../lib/lang';
import { fill } from '../../workbench/words';
import { Pager, Screen, SignedOut, Skeleton, Unreachable } from '../screens';
import { Filters } from './Filters';
import { isFiltered, pagesOf } from './state';
import { TaskCard } from './TaskCard';
import { ToolIcon } from './ToolIcon';
import { type Centre, type TaskCentreProps, useCentre } from './useCentre';

/** The island of /tasks. */
export function TaskCentre(props: TaskCentreProps) {
  const centre = useCentre(props);
  return (
    <div data-testid="centre" data-standing={centre.state.standing} aria-busy={centre.state.busy}>
      <Standing centre={centre} />
    </div>
  );
}

function Standing({ centre }: { centre: Centre }) {
  const { state, t } = centre;
  switch (state.standing) {
    case 'loading':
      return <Skeleton t={t} rows={3} />;
    case 'signedOut':
      return <SignedOut title={t.tasksSignIn} lead={t.tasksSignInLead} t={t} onSignIn={centre.signIn} />;
    case 'unreachable':
      return <Unreachable t={t} onRetry={centre.lookAgain} />;
    case 'listed':
      return <Listed centre={centre} />;
  }
}

function Listed({ centre }: { centre: Centre }) {
  const { state, dispatch, t } = centre;
  const top = useRef<HTMLDivElement>(null);
  const onPage = (page: number) => {
    dispatch({ do: 'asked', change: { page } });
    top.current?.scrollIntoView({ block: 'start' });
  };
  useFocusAfterLoss(state.items.length, top);
  if (state.total === 0 && !isFiltered(state.query) && !state.busy) return <Nothing centre={centre} />;
  return (
    <div ref={top} tabIndex={-1} className="scroll-mt-24 outline-none">
      <Filters centre={centre} />
      <p className="mt-4 min-h-6 text-sm text-ink-faint" role="status" data-testid="count">
        {state.stale ? <span className="text-warn">{t.stale}</span> : fill(t.count, { n: state.total })}
      </p>
      <ul
        className={`mt-3 space-y-4 transition-opacity ${state.busy ? 'opacity-60' : ''}`}
        data-testid="tasks"
      >
        {state.items.map((task) => (
          <TaskCard key={task.taskId} task={task} centre={centre} />
        ))}
      </ul>
      {state.items.length === 0 && !state.busy && <NoMatch centre={centre} />}
      <Pager page={state.query.page} pages={pagesOf(state.total)} t={t} onPage={onPage} />
    </div>
  );
}

/** The button that deleted a task goes with it; the keyboard goes on from the list. */
function useFocusAfterLoss(count: number, top: React.RefObject<HTMLDivElement | null>): void {
  const before = useRef(count);
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) top.current?.focus();
    before.current = count;
  }, [count, top]);
}

function NoMatch({ centre: { dispatch, t } }: { centre: Centre }) {
  return (
    <Screen icon={SearchX} title={t.noMatchTitle} lead={t.noMatchLead} testid="no-match">
      <button
        type="button"
        className="btn btn-plain"
        onClick={() => dispatch({ do: 'asked', change: { tool: null, status: 'all' } })}
        data-testid="clear-filter"
      >
        {t.clearFilter}
      </button>
    </Screen>
  );
}

const FIRST_TOOLS = 3;

/** No task yet: the way to the tools. */
function Nothing({ centre: { payload, lang, t } }: { centre: Centre }) {
  return (
    <Screen title={t.emptyTitle} lead={t.emptyLead} testid="empty">
      {(payload?.tools ?? []).slice(0, FIRST_TOOLS).map((tool) => (
        <a key={tool.key} href={tool.path} className="btn btn-plain max-sm:w-full" data-testid="empty-tool">
          <ToolIcon name={tool.key} size={20} />
          {tool.name}
        </a>
      ))}
      <a href={localPath(lang, '/')} className="btn btn-primary max-sm:w-full" data-testid="to-tools">
        {t.allToolsLink}
        <ArrowRight size={18} aria-hidden="true" />
      </a>
    </Screen>
  );
}
