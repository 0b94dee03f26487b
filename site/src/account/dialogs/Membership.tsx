import { useEffect, useState } from 'react';
import { Dialog } from './Dialog';
import { Payment } from './Payment';
import { Perks, Plans, PlansSkeleton } from './Plans';
import { dayOf, priceOf } from '../format';
import { bestOf, headingOf } from '../offers';
import { account } from '../store';
import type { Limit, MemberPackage } from '../types';
import { useAccount, useMemberPackages } from '../useAccount';
import { reloadPackages } from '../watch';
import { type AccountWords, accountWords } from '../words';
import type { Lang } from '../../lib/lang';

type SignInFirst = (options: { reason?: string }) => Promise<boolean>;

type MembershipProps = {
  lang: Lang;
  restriction?: Limit | undefined;
  /** The package that is chosen first. */
  packageId?: string | undefined;
  close(): void;
  signIn: SignInFirst;
};

/** The packages, asked for when the dialog opens; `failed` when they did not come. */
function usePackages() {
  const offer = useMemberPackages();
  const [failed, setFailed] = useState(false);
  const load = async () => {
    setFailed(false);
    if (!(await reloadPackages())) setFailed(true);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (!offer) void load();
  }, []);
  return { offer, failed: failed && !offer, load };
}

type FootProps = { plan: MemberPackage; label: string; buy(): void; t: AccountWords };

function Foot({ plan, label, buy, t }: FootProps) {
  return (
    <div className="plan-foot mt-6 flex items-center justify-between gap-4 border-t border-line pt-5">
      <p>
        <span className="text-ink-soft">{t.total} </span>
        <span className="text-xl font-bold tabular-nums" data-testid="total">
          {priceOf(plan.price)}
        </span>
        <span className="block text-xs text-ink-faint">{t.buyNote}</span>
      </p>
      <button
        type="button"
        className="btn btn-primary btn-big shrink-0 max-sm:px-5"
        onClick={buy}
        data-testid="buy"
      >
        {label}
      </button>
    </div>
  );
}

function Failed({ load, t }: { load(): void; t: AccountWords }) {
  return (
    <div className="mt-6 rounded-lg bg-sunken p-8 text-center" role="alert">
      <p className="font-semibold">{t.packagesFailed}</p>
      <p className="mt-1 text-sm text-ink-soft">{t.unreachable}</p>
      <button type="button" className="btn btn-plain mt-4" onClick={load}>
        {t.retry}
      </button>
    </div>
  );
}

type ChooseProps = {
  packages: MemberPackage[];
  first: string | undefined;
  label: string;
  buy(plan: MemberPackage): void;
  t: AccountWords;
};

function Choose({ packages, first, label, buy, t }: ChooseProps) {
  const wished = packages.find(({ id }) => id === first) ?? bestOf(packages);
  const [chosen, choose] = useState(wished?.id ?? '');
  const plan = packages.find(({ id }) => id === chosen);
  return (
    <>
      <Plans packages={packages} chosen={chosen} choose={choose} t={t} />
      {plan && <Perks perks={plan.perks} t={t} />}
      {plan && <Foot plan={plan} label={label} buy={() => buy(plan)} t={t} />}
    </>
  );
}

/** Who was sent here by a limit and turns out to be a member needs nothing more. */
const needsNothing = (restriction: Limit | undefined) =>
  restriction !== undefined && account.get().user?.member.active;

function useBuying({ restriction, close, signIn }: MembershipProps, t: AccountWords) {
  const [plan, setPlan] = useState<MemberPackage | null>(null);
  const signInFirst = async (reason?: string) => {
    if (account.get().user) return true;
    const signedIn = await signIn(reason ? { reason } : {});
    if (signedIn && needsNothing(restriction)) close();
    return signedIn && !needsNothing(restriction);
  };
  const buy = async (chosen: MemberPackage) => {
    if (await signInFirst(t.signInToBuy)) setPlan(chosen);
  };
  const signInInstead = async () => {
    if (await signInFirst()) close();
  };
  return { plan, setPlan, buy, signInInstead };
}

/** The packages, then the payment of one. Visitors sign in between. */
export function MembershipDialog(props: MembershipProps) {
  const { lang, restriction, close } = props;
  const t = accountWords[lang];
  const { state } = useAccount();
  const { offer, failed, load } = usePackages();
  const { plan, setPlan, buy, signInInstead } = useBuying(props, t);
  const standing = offer?.membership ?? null;
  const heading = headingOf(restriction, standing, (ms) => dayOf(ms, lang), t);
  const again = standing?.active || standing?.expired ? t.renew : t.buy;
  if (plan) return <Payment lang={lang} plan={plan} back={() => setPlan(null)} close={close} />;
  return (
    <Dialog
      title={heading.title}
      lead={heading.lead}
      closeLabel={t.close}
      onClose={close}
      testid="membership-dialog"
      size="wide"
    >
      {restriction === 2 && state === 'visitor' && (
        <button
          type="button"
          className="mt-2 min-h-9 text-left font-semibold text-primary underline underline-offset-4"
          onClick={signInInstead}
          data-testid="sign-in-instead"
        >
          {t.signInInstead}
        </button>
      )}
      {offer && (
        <Choose
          packages={offer.packages}
          first={props.packageId}
          label={state === 'user' ? again : t.buyAfterSignIn}
          buy={buy}
          t={t}
        />
      )}
      {!offer && (failed ? <Failed load={load} t={t} /> : <PlansSkeleton />)}
    </Dialog>
  );
}
