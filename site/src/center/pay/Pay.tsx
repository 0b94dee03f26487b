import { useEffect, useState } from 'react';
import type { Lang } from '../../lib/lang';
import { words } from '../words';
import type { Asked, PartProps } from './asked';
import { Cashier } from './Cashier';
import { Failure } from './Failure';
import { Home, Notice, Wait } from './parts';
import { Result } from './Result';

export type PayProps = { lang: Lang; page: 'union' | 'weixin' | 'error' };

/** The island of the payment pages. */
export function Pay({ lang, page }: PayProps) {
  const [asked, setAsked] = useState<Asked | null>(null);
  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const names = ['preorderId', 'key', 'openid', 'code', 'orderNo', 'reason'];
    setAsked(Object.fromEntries(names.map((name) => [name, query.get(name)])) as Asked);
  }, []);
  const t = words[lang];
  return (
    <div data-testid="pay" className="flex min-h-[26rem] flex-col justify-center py-8">
      {asked ? <Part page={page} lang={lang} asked={asked} t={t} /> : <Wait text={t.loading} />}
    </div>
  );
}

function Part({ page, ...props }: PartProps & { page: PayProps['page'] }) {
  const { asked, t } = props;
  if (page === 'error') return <Failure {...props} />;
  if (asked.orderNo) return <Result {...props} orderNo={asked.orderNo} />;
  if (page === 'union' && asked.preorderId) return <Cashier {...props} preorderId={asked.preorderId} />;
  return (
    <Notice tone="bad" title={t.linkBroken} lead={t.linkBrokenLead} testid="pay-broken">
      <Home lang={props.lang} t={t} />
    </Notice>
  );
}
