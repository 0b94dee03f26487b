import { Check } from 'lucide-react';
import { monthlyOf, monthlyText, priceOf } from '../format';
import type { MemberPackage } from '../types';
import { type AccountWords, say } from '../words';

type PlanProps = { plan: MemberPackage; chosen: boolean; choose(id: string): void; t: AccountWords };

function Price({ plan, t }: { plan: MemberPackage; t: AccountWords }) {
  const saved = plan.originalPrice - plan.price;
  return (
    <>
      <span className="flex items-baseline gap-2 sm:mt-2">
        <span className="text-2xl font-bold tracking-tight tabular-nums">{priceOf(plan.price)}</span>
        {saved > 0 && <s className="text-sm text-ink-faint tabular-nums">{priceOf(plan.originalPrice)}</s>}
      </span>
      <span className="hidden text-sm text-ink-soft sm:block">
        {say(t.perMonth, { price: monthlyText(monthlyOf(plan.price, plan.months)) })}
      </span>
    </>
  );
}

function Plan({ plan, chosen, choose, t }: PlanProps) {
  const saved = plan.originalPrice - plan.price;
  return (
    <label
      className="plan flex items-center justify-between gap-3 p-4 sm:flex-col sm:items-start sm:justify-start sm:gap-1 sm:p-5"
      data-testid="plan"
      data-plan={plan.id}
    >
      <input
        type="radio"
        name="plan"
        value={plan.id}
        className="sr-only"
        checked={chosen}
        onChange={() => choose(plan.id)}
        data-autofocus={chosen || undefined}
      />
      <span className="min-w-0">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold">
          {plan.name}
          {saved > 0 && (
            <span className="rounded-full bg-tint-strong px-2 py-px text-xs font-semibold text-primary-strong">
              {say(t.save, { price: priceOf(saved) })}
            </span>
          )}
        </span>
        <span className="block text-sm text-ink-soft sm:hidden">
          {say(t.perMonth, { price: monthlyText(monthlyOf(plan.price, plan.months)) })}
        </span>
      </span>
      <span className="shrink-0 max-sm:[&>span]:flex-col max-sm:[&>span]:items-end max-sm:[&>span]:gap-0">
        <Price plan={plan} t={t} />
      </span>
    </label>
  );
}

export function Perks({ perks, t }: { perks: string[]; t: AccountWords }) {
  return (
    <div className="mt-6">
      <h3 className="text-sm font-semibold text-ink-soft">{t.perks}</h3>
      <ul className="mt-2 grid gap-x-6 gap-y-1.5 sm:grid-cols-2" data-testid="perks">
        {perks.map((perk) => (
          <li key={perk} className="flex items-start gap-2">
            <Check size={18} className="mt-[3px] shrink-0 text-primary" aria-hidden="true" />
            {perk}
          </li>
        ))}
      </ul>
    </div>
  );
}

type PlansProps = { packages: MemberPackage[]; chosen: string; choose(id: string): void; t: AccountWords };

export function Plans({ packages, chosen, choose, t }: PlansProps) {
  return (
    <fieldset className="mt-6">
      <legend className="sr-only">{t.packages}</legend>
      <div className="grid gap-3 sm:auto-cols-fr sm:grid-flow-col">
        {packages.map((plan) => (
          <Plan key={plan.id} plan={plan} chosen={plan.id === chosen} choose={choose} t={t} />
        ))}
      </div>
    </fieldset>
  );
}

/** What stands where the plans will be, as large as they. */
export function PlansSkeleton() {
  return (
    <div className="mt-6 grid gap-3 sm:grid-cols-3" aria-hidden="true">
      {[1, 2, 3].map((each) => (
        <div key={each} className="skeleton h-20 rounded-lg sm:h-36" />
      ))}
    </div>
  );
}
