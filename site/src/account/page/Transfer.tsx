import { CircleCheckBig } from 'lucide-react';
import { type SubmitEvent, useState } from 'react';
import type { Lang } from '../../lib/lang';
import { Dialog } from '../dialogs/Dialog';
import { dayOf } from '../format';
import { AccountField } from '../parts';
import type { User } from '../types';
import { calls, reloadAccount } from '../watch';
import { accountWords, say } from '../words';
import { Confirm } from './Confirm';
import { useOwnCode } from './useOwnCode';
import { pageWords } from './words';

type Given = { to: string; expiresAt: number };

function Done({ given, lang, close }: { given: Given; lang: Lang; close(): void }) {
  const words = pageWords[lang];
  return (
    <div className="mt-4 flex flex-col items-center text-center" role="status" data-testid="transfer-done">
      <CircleCheckBig size={48} strokeWidth={1.5} className="text-primary" aria-hidden="true" />
      <p className="mt-4">{say(words.transferDoneLead, { date: dayOf(given.expiresAt, lang) })}</p>
      <button type="button" className="btn btn-primary mt-6 w-full" onClick={close}>
        {words.done}
      </button>
    </div>
  );
}

function useTransfer(lang: Lang) {
  const t = accountWords[lang];
  const words = pageWords[lang];
  const own = useOwnCode(t, words.agreeFirst);
  const [to, setTo] = useState('');
  const [given, setGiven] = useState<Given | null>(null);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (!to.trim()) return own.refuse('account_empty', words.transferToEmpty);
    void own.perform(async () => setGiven(await (await calls()).transfer(to.trim(), own.pwd)));
  };
  return { own, to, setTo, given, submit };
}

type TransferProps = { user: User; lang: Lang; close(): void };

/** Gives the remaining membership to another account. */
export function Transfer({ user, lang, close }: TransferProps) {
  const t = accountWords[lang];
  const words = pageWords[lang];
  const { own, to, setTo, given, submit } = useTransfer(lang);
  const { expiresAt } = user.member;
  const end = () => {
    close();
    if (given) void reloadAccount();
  };
  const lead = say(words.transferLead, { date: expiresAt ? dayOf(expiresAt, lang) : '' });
  const aboutAccount = own.trouble?.reason.startsWith('account_') ? own.trouble.text : null;
  return (
    <Dialog
      title={given ? say(words.transferDone, { to: given.to }) : words.transferTitle}
      lead={given ? null : lead}
      closeLabel={t.close}
      onClose={end}
      testid="transfer-dialog"
    >
      {given ? (
        <Done given={given} lang={lang} close={end} />
      ) : (
        <form onSubmit={submit} noValidate className="mt-5 grid gap-4">
          <AccountField
            label={words.transferTo}
            hint={t.accountHint}
            value={to}
            error={aboutAccount}
            autoFocus
            onChange={setTo}
          />
          <Confirm
            own={own}
            account={user.account}
            agree={words.transferAgree}
            go={words.transferGo}
            t={t}
            words={words}
          />
        </form>
      )}
    </Dialog>
  );
}
