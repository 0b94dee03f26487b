import { CircleUserRound, ListChecks, LogOut, ReceiptText, Repeat2, UserX } from 'lucide-react';
import { useEffect, useState } from 'react';
import { localPath, type Lang } from '../../lib/lang';
import { notify } from '../../ui/notify';
import { openSignIn, signOut } from '../open';
import type { User } from '../types';
import { useAccount } from '../useAccount';
import { DeleteAccount, Deleted } from './DeleteAccount';
import { Notice, PageSkeleton, Row, Rows } from './parts';
import { QrConfirm } from './QrConfirm';
import { Standing } from './Standing';
import { Transfer } from './Transfer';
import { type PageWords, pageWords } from './words';

function Profile({ user }: { user: User }) {
  return (
    <header className="flex items-center gap-4 px-1">
      <span
        className="flex size-16 shrink-0 items-center justify-center rounded-full bg-tint-strong text-2xl font-bold text-primary-strong"
        aria-hidden="true"
      >
        {[...(user.nickname || user.account)][0]?.toUpperCase()}
      </span>
      <div className="min-w-0">
        <h1 className="truncate text-xl" data-testid="nickname">
          {user.nickname}
        </h1>
        <p className="truncate text-ink-soft" data-testid="masked-account">
          {user.account}
        </p>
      </div>
    </header>
  );
}

async function leave(t: PageWords): Promise<void> {
  await signOut().catch(() => notify(t.signOutFailed, { type: 'error', autoClose: 5000 }));
}

type Open = 'transfer' | 'remove' | null;
type OwnPageProps = { user: User; lang: Lang; removed(): void };

function OwnPage({ user, lang, removed }: OwnPageProps) {
  const t = pageWords[lang];
  const [open, setOpen] = useState<Open>(null);
  const close = () => setOpen(null);
  const transferable = user.member.active;
  return (
    <div className="grid gap-5 py-8" data-testid="user-info">
      <Profile user={user} />
      <Standing member={user.member} lang={lang} />
      <Rows>
        <Row icon={ListChecks} name={t.tasks} href={localPath(lang, '/tasks')} testid="row-tasks" />
        <Row icon={ReceiptText} name={t.orders} href={localPath(lang, '/Orders')} testid="row-orders" />
        {transferable && (
          <Row
            icon={Repeat2}
            name={t.transfer}
            hint={t.transferHint}
            onClick={() => setOpen('transfer')}
            testid="row-transfer"
          />
        )}
      </Rows>
      <Rows>
        <Row icon={LogOut} name={t.signOut} atOnce onClick={() => void leave(t)} testid="row-sign-out" />
        <Row
          icon={UserX}
          name={t.remove}
          hint={t.removeHint}
          danger
          onClick={() => setOpen('remove')}
          testid="row-delete"
        />
      </Rows>
      {open === 'transfer' && <Transfer user={user} lang={lang} close={close} />}
      {open === 'remove' && <DeleteAccount user={user} lang={lang} close={close} removed={removed} />}
    </div>
  );
}

function SignInFirst({ lang, forQr }: { lang: Lang; forQr: boolean }) {
  const t = pageWords[lang];
  const lead = forQr ? t.signInForQr : t.signInLead;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the page turns out to be a visitor's
  useEffect(() => void openSignIn({ reason: lead }), []);
  return (
    <Notice icon={CircleUserRound} title={t.signInTitle} lead={lead} testid="sign-in-first">
      <button
        type="button"
        className="btn btn-primary btn-big"
        onClick={() => void openSignIn({ reason: lead })}
        data-testid="sign-in-page"
      >
        {t.signIn}
      </button>
    </Notice>
  );
}

/** The signed-in person's page; with `qrId`, the confirmation of a sign-in elsewhere. */
export function UserInfo({ lang, qrId }: { lang: Lang; qrId: string | null }) {
  const { state, user } = useAccount();
  const [removed, setRemoved] = useState(false);
  if (removed) return <Deleted lang={lang} />;
  if (state === 'loading') return <PageSkeleton />;
  if (!user) return <SignInFirst lang={lang} forQr={qrId !== null} />;
  if (qrId) return <QrConfirm qrId={qrId} user={user} lang={lang} />;
  return <OwnPage user={user} lang={lang} removed={() => setRemoved(true)} />;
}
