import { Feather } from 'lucide-react';
import type { SubmitEvent } from 'react';
import { localPath, type Lang } from '../../lib/lang';
import { Dialog } from '../dialogs/Dialog';
import type { User } from '../types';
import { calls, noteUser } from '../watch';
import { accountWords } from '../words';
import { Confirm } from './Confirm';
import { Notice } from './parts';
import { useOwnCode } from './useOwnCode';
import { pageWords } from './words';

type DeleteProps = { user: User; lang: Lang; close(): void; removed(): void };

/** Erases the account, after saying what that means. */
export function DeleteAccount({ user, lang, close, removed }: DeleteProps) {
  const t = accountWords[lang];
  const words = pageWords[lang];
  const own = useOwnCode(t, words.agreeFirst);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    void own.perform(async () => {
      await (await calls()).deleteAccount(own.pwd);
      removed();
      noteUser(null);
    });
  };
  return (
    <Dialog
      title={words.removeTitle}
      lead={words.removeLead}
      closeLabel={t.close}
      onClose={close}
      testid="delete-dialog"
    >
      <ul className="mt-3 list-disc rounded-lg bg-danger-tint py-3 pr-4 pl-8 text-danger">
        {[...words.removeList, ...(user.member.active ? [words.removeMember] : [])].map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <form onSubmit={submit} noValidate className="mt-5 grid gap-4">
        <Confirm
          own={own}
          account={user.account}
          agree={words.removeAgree}
          go={words.removeGo}
          danger
          t={t}
          words={words}
        />
      </form>
    </Dialog>
  );
}

export function Deleted({ lang }: { lang: Lang }) {
  const words = pageWords[lang];
  return (
    <Notice icon={Feather} title={words.removeDone} lead={words.removeDoneLead} testid="account-deleted">
      <a href={localPath(lang, '/')} className="btn btn-primary btn-big">
        {words.home}
      </a>
    </Notice>
  );
}
