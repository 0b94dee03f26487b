import { Back, Forward } from './icons';
import type { Words } from './words';

type Props = { page: number; pages: number; onPage(page: number): void; words: Words };

/** From page to page, where there are several. */
export function PageSwitch({ page, pages, onPage, words }: Props) {
  if (pages <= 1) return null;
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
