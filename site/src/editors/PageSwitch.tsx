import { Back, Forward } from './icons';
import type { Words } from './words';

type Props = { page: number; pages: number; onPage(page: number): void; words: Words };

export function PageSwitch({ page, pages, onPage, words }: Props) {
  return (
    <div className="page-switch">
      <button type="button" aria-label={words.previous} disabled={page <= 1} onClick={() => onPage(page - 1)}>
        <Back />
      </button>
      <span aria-live="polite">{words.pageOf(page, pages)}</span>
      <button type="button" aria-label={words.next} disabled={page >= pages} onClick={() => onPage(page + 1)}>
        <Forward />
      </button>
    </div>
  );
}
