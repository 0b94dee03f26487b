import { LoaderCircle } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { digitsOf } from './format';
import type { Code } from './useCode';
import { type AccountWords, say } from './words';

export function Wait({ size = 18 }: { size?: number }) {
  return <LoaderCircle size={size} className="animate-spin" aria-hidden="true" />;
}

export function ErrorLine({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} role="alert" className="mt-1.5 text-sm text-danger" data-testid="account-error">
      {children}
    </p>
  );
}

type AccountFieldProps = {
  label: string;
  hint: string;
  value: string;
  error: string | null;
  autoFocus?: boolean;
  onChange(value: string): void;
};

/** E-mail address or mobile number. */
export function AccountField({ label, hint, value, error, autoFocus, onChange }: AccountFieldProps) {
  const id = useId();
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {label}
      </label>
      <input
        id={id}
        className="input"
        value={value}
        onChange={(event) => onChange(event.target.value)}
        placeholder={hint}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        inputMode="email"
        maxLength={254}
        aria-invalid={error !== null}
        aria-describedby={error ? `${id}-error` : undefined}
        data-autofocus={autoFocus || undefined}
        data-testid="account-field"
      />
      {error && <ErrorLine id={`${id}-error`}>{error}</ErrorLine>}
    </div>
  );
}

function sendLabel(code: Code, t: AccountWords): ReactNode {
  if (code.sending) return <Wait />;
  if (code.left > 0) return say(t.sendAfter, { n: code.left });
  return code.sent ? t.sendAgain : t.sendCode;
}

function SendButton({ code, t, send }: { code: Code; t: AccountWords; send(): void }) {
  return (
    <button
      type="button"
      className="btn btn-plain min-w-[8.5rem] shrink-0 px-3 tabular-nums"
      disabled={code.sending || code.left > 0}
      onClick={send}
      data-testid="send-code"
    >
      {sendLabel(code, t)}
    </button>
  );
}

type CodeFieldProps = {
  code: Code;
  t: AccountWords;
  value: string;
  error: string | null;
  send(): void;
  onChange(value: string): void;
};

/** The six digits, and the button that has them sent. */
export function CodeField({ code, t, value, error, send, onChange }: CodeFieldProps) {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  const { sent } = code;
  // A refused code is typed over, not deleted digit by digit.
  useEffect(() => {
    if (error && document.activeElement === ref.current) ref.current?.select();
  }, [error]);
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        {t.codeLabel}
      </label>
      <div className="flex gap-2">
        <input
          ref={ref}
          id={id}
          className="input code-input min-w-0"
          value={value}
          onChange={(event) => onChange(digitsOf(event.target.value))}
          placeholder={t.codeHint}
          autoComplete="one-time-code"
          inputMode="numeric"
          aria-invalid={error !== null}
          aria-describedby={`${id}-${error ? 'error' : 'sent'}`}
          data-testid="code-field"
        />
        <SendButton code={code} t={t} send={send} />
      </div>
      {error && <ErrorLine id={`${id}-error`}>{error}</ErrorLine>}
      <p
        id={`${id}-sent`}
        role="status"
        className="mt-1.5 text-sm text-ink-soft empty:hidden"
        data-testid="code-sent"
      >
        {sent && !error && say(t.codeSent, { to: sent.sentTo, n: Math.round(sent.validSeconds / 60) })}
      </p>
    </div>
  );
}
