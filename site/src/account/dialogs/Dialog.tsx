import './dialogs.css';
import { X } from 'lucide-react';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';

type DialogProps = {
  title: string;
  /** Under the title. */
  lead?: ReactNode;
  closeLabel: string;
  onClose(): void;
  testid: string;
  size?: 'small' | 'medium' | 'wide';
  children: ReactNode;
};

/** A native modal dialog: from the bottom on a phone, in the middle elsewhere. */
export function Dialog({ title, lead, closeLabel, onClose, testid, size = 'small', children }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const dialog = ref.current!;
    dialog.showModal();
    dialog.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    // Closing before the element goes gives the focus back to where it was.
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={ref}
      className="account-dialog"
      data-size={size}
      aria-labelledby={titleId}
      data-testid={testid}
      onClose={onClose}
      onPointerDown={(event) => event.target === ref.current && onClose()}
    >
      <div className="relative p-6 pb-[calc(1.5rem+env(safe-area-inset-bottom))] sm:p-8">
        <button
          type="button"
          className="btn btn-quiet btn-icon absolute top-3 right-3"
          aria-label={closeLabel}
          onClick={onClose}
          data-testid="dialog-close"
        >
          <X size={20} aria-hidden="true" />
        </button>
        <h2 id={titleId} className="pr-10 text-xl sm:text-2xl" data-testid="dialog-title">
          {title}
        </h2>
        {lead && <p className="mt-1.5 pr-6 text-ink-soft">{lead}</p>}
        {children}
      </div>
    </dialog>
  );
}
