import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { localPath, type Lang } from '../../lib/lang';
import { AccountField, CodeField, Wait } from '../parts';
import { type Trouble, troubleOf } from '../trouble';
import { useCode } from '../useCode';
import { calls, noteUser } from '../watch';
import type { AccountWords } from '../words';

const local = (field: 'account' | 'code', text: string): Trouble => ({
  reason: `${field}_empty`,
  text,
  seconds: 0,
});

/** Everything but the account itself is shown under the code. */
const isAboutAccount = (trouble: Trouble) => trouble.reason.startsWith('account_');

function useCodeSignIn(t: AccountWords) {
  const [account, setAccount] = useState('');
  const [pwd, setPwd] = useState('');
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const code = useCode(t);
  const send = async () => {
    setTrouble(null);
    if (!account.trim()) return setTrouble(local('account', t.accountEmpty));
    await code.send(account.trim());
  };
  const signIn = async () => {
    if (!account.trim()) return setTrouble(local('account', t.accountEmpty));
    if (pwd.length < 6) return setTrouble(local('code', t.codeShort));
    setBusy(true);
    setTrouble(null);
    try {
      noteUser((await (await calls()).signIn(account.trim(), pwd)).user);
    } catch (error) {
      setTrouble(troubleOf(error, t));
    } finally {
      setBusy(false);
    }
  };
  return { account, setAccount, pwd, setPwd, busy, trouble: trouble ?? code.trouble, code, send, signIn };
}

function Agreement({ lang, main, t }: { lang: Lang; main: string; t: AccountWords }) {
  const link = (path: string, name: string) => (
    <a
      href={main + localPath(lang, path)}
      target="_blank"
      rel="noopener"
      className="text-primary underline underline-offset-3"
    >
      {name}
    </a>
  );
  return (
    <p className="text-xs text-ink-faint" data-testid="agreement-line">
      {t.agreeBefore}
      {link('/agreement', t.agreement)}
      {t.agreeBetween}
      {link('/privacy', t.privacy)}
      {t.agreeAfter}
      <span className="block">{t.agreeNew}</span>
    </p>
  );
}

/** Sign-in by one-time code; the sixth digit sends the form. */
export function CodeForm({ lang, main, t }: { lang: Lang; main: string; t: AccountWords }) {
  const form = useCodeSignIn(t);
  const ref = useRef<HTMLFormElement>(null);
  const { trouble } = form;
  useEffect(() => {
    if (form.pwd.length === 6) ref.current?.requestSubmit();
  }, [form.pwd]);
  useEffect(() => {
    if (form.code.sent) ref.current?.querySelector<HTMLElement>('[autocomplete=one-time-code]')?.focus();
  }, [form.code.sent]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!form.busy) void form.signIn();
  };
  return (
    <form ref={ref} onSubmit={submit} noValidate className="grid gap-4" data-testid="code-form">
      <AccountField
        label={t.accountLabel}
        hint={t.accountHint}
        value={form.account}
        error={trouble && isAboutAccount(trouble) ? trouble.text : null}
        autoFocus
        onChange={form.setAccount}
      />
      <CodeField
        code={form.code}
        t={t}
        value={form.pwd}
        error={trouble && !isAboutAccount(trouble) ? trouble.text : null}
        send={form.send}
        onChange={form.setPwd}
      />
      <button type="submit" className="btn btn-primary mt-1" disabled={form.busy} data-testid="code-sign-in">
        {form.busy && <Wait />}
        {form.busy ? t.signingIn : t.signIn}
      </button>
      <Agreement lang={lang} main={main} t={t} />
    </form>
  );
}
