import { ArrowRight } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ReceiptFacts } from '../../workbench/panels/Receipt';
import { storedOf, takersOf } from '../../workbench/results';
import type { PanelName, PanelProps } from './card';
import { Levels } from './Levels';
import { isUnended } from './state';
import { ToolIcon } from './ToolIcon';

export function Panel({ name, ...props }: PanelProps & { name: PanelName }) {
  switch (name) {
    case 'receipt':
      return <ReceiptFacts task={props.task} lang={props.centre.lang} />;
    case 'continue':
      return <ContinueIn {...props} />;
    case 'level':
      return <Levels {...props} />;
    case 'delete':
      return <ConfirmDelete {...props} />;
  }
}

/** Tools that take the results as they are. */
function ContinueIn({ task, centre }: PanelProps) {
  const { payload, t } = centre;
  const tools = payload?.tools ?? [];
  const own = tools.find(({ id }) => id === task.toolId)?.key ?? '';
  const stored = storedOf(task);
  return (
    <div className="rounded-md bg-sunken p-4" data-testid="continue">
      <p className="text-sm text-ink-soft">{t.continueIn}</p>
      <div className="mt-3 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap">
        {takersOf(stored, tools, own).map(({ key, route, name }) => (
          <button
            key={key}
            type="button"
            className="btn btn-plain justify-start px-3 text-left text-sm"
            onClick={() => centre.carryOn(stored, route)}
            data-testid="continue-tool"
            data-tool={key}
          >
            <span className="text-primary">
              <ToolIcon name={key} size={18} />
            </span>
            <span className="min-w-0 flex-1">{name}</span>
            <ArrowRight size={16} aria-hidden="true" className="shrink-0" />
          </button>
        ))}
      </div>
    </div>
  );
}

function ConfirmDelete({ task, centre, onClose }: PanelProps) {
  const [busy, setBusy] = useState(false);
  const safe = useRef<HTMLButtonElement>(null);
  const { t } = centre;
  const running = isUnended(task);
  useEffect(() => safe.current?.focus(), []);
  const remove = async () => {
    setBusy(true);
    await centre.remove(task.taskId);
    setBusy(false);
  };
  return (
    <div
      className="flex flex-wrap items-center justify-between gap-3 rounded-md bg-danger-tint p-3 sm:pl-4"
      data-testid="delete-ask"
    >
      <p className="text-sm text-danger" role="alert">
        {running ? t.cancelAsk : t.deleteAsk}
      </p>
      <div className="flex gap-2 max-sm:w-full">
        <button
          ref={safe}
          type="button"
          className="btn btn-plain max-sm:flex-1"
          onClick={onClose}
          data-testid="delete-keep"
        >
          {t.keep}
        </button>
        <button
          type="button"
          className="btn bg-danger text-surface max-sm:flex-1"
          disabled={busy}
          onClick={remove}
          data-testid="delete-confirm"
        >
          {running ? t.cancelYes : t.deleteYes}
        </button>
      </div>
    </div>
  );
}
