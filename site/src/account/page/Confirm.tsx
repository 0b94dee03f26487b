import { CodeField, ErrorLine, Wait } from '../parts';
import { type AccountWords, say } from '../words';
import type { OwnCode } from './useOwnCode';
import type { PageWords } from './words';

type ConfirmProps = {
  own: OwnCode;
  account: string;
  agree: string;
  go: string;
  danger?: boolean;
  t: AccountWords;
  words: PageWords;
};

const isAboutCode = (reason: string) => reason.startsWith('code');

/** The end of a form that cannot be undone: own code, tick, button. */
export function Confirm({ own, account, agree, go, danger, t, words }: ConfirmProps) {
  const { trouble } = own;
  const other = trouble && !isAboutCode(trouble.reason) && !trouble.reason.startsWith('account_');
  return (
    <>
      <p className="text-sm text-ink-soft">{say(words.ownCode, { account })}</p>
      <CodeField
        code={own.code}
        t={t}
        value={own.pwd}
        error={trouble && isAboutCode(trouble.reason) ? trouble.text : null}
        send={own.send}
        onChange={own.setPwd}
      />
      <label className="flex min-h-11 items-start gap-3 py-1.5">
        <input
          type="checkbox"
          className="mt-1 size-5 shrink-0 accent-primary"
          checked={own.agreed}
          onChange={(event) => own.setAgreed(event.target.checked)}
          data-testid="agree"
        />
        <span>{agree}</span>
      </label>
      {other && <ErrorLine>{trouble.text}</ErrorLine>}
      <button
        type="submit"
        className={`btn ${danger ? 'border-danger bg-danger-tint btn-danger' : 'btn-primary'}`}
        disabled={own.busy}
        data-testid="confirm"
      >
        {own.busy && <Wait />}
        {go}
      </button>
    </>
  );
}
