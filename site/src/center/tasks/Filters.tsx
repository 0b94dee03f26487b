import { ArrowDownUp } from 'lucide-react';
import type { StatusFilter } from './state';
import type { Centre } from './useCentre';

const STATUS: StatusFilter[] = ['all', 'running', 'done', 'failed'];

/** Which tasks, and in which order. */
export function Filters({ centre }: { centre: Centre }) {
  const { state, dispatch, payload, t } = centre;
  const { query } = state;
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-3" data-testid="filters">
      <fieldset className="flex rounded-md border border-line bg-surface p-1 max-sm:w-full">
        <legend className="sr-only">{t.status}</legend>
        {STATUS.map((status) => (
          <label
            key={status}
            className="flex min-h-11 flex-1 cursor-pointer items-center justify-center whitespace-nowrap rounded-sm px-2 text-sm font-medium text-ink-soft transition-colors hover:text-primary-strong has-checked:bg-tint-strong has-checked:text-primary-strong has-focus-visible:outline-3 has-focus-visible:outline-primary sm:px-4"
          >
            <input
              type="radio"
              name="status"
              className="sr-only"
              checked={query.status === status}
              onChange={() => dispatch({ do: 'asked', change: { status } })}
              data-testid="filter-status"
              data-filter={status}
            />
            {t[status]}
          </label>
        ))}
      </fieldset>
      <select
        className="input w-auto min-w-0 flex-1 sm:max-w-[14rem]"
        aria-label={t.tool}
        value={query.tool ?? ''}
        onChange={({ target }) =>
          dispatch({ do: 'asked', change: { tool: target.value ? Number(target.value) : null } })
        }
        data-testid="filter-tool"
      >
        <option value="">{t.allTools}</option>
        {payload?.tools.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
      <button
        type="button"
        className="btn btn-quiet whitespace-nowrap sm:ml-auto"
        onClick={() => dispatch({ do: 'asked', change: { order: query.order === 1 ? 2 : 1 } })}
        aria-label={`${t.order}: ${query.order === 1 ? t.oldest : t.newest}`}
        data-testid="order"
        data-order={query.order}
      >
        <ArrowDownUp size={18} aria-hidden="true" />
        {query.order === 1 ? t.oldest : t.newest}
      </button>
    </div>
  );
}
