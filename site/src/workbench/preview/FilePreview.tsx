import type { Lang } from '../../lib/lang';
import type { Row } from '../state';
import { asFile, Empty, Opened } from './Opened';
import { PageScroll } from './PageScroll';
import { Picture } from './Picture';
import { WordPages } from './WordPages';
import { previewWords } from './words';

/** Kinds of pictures that browsers show. */
export const SHOWN_PICTURES = ['jpg', 'png', 'webp', 'gif', 'bmp'];

/** A chosen file as it is, before anything is done to it. */
export function FilePreview({ row, lang }: { row: Row; lang: Lang }) {
  const t = previewWords[lang];
  const { blob, kind, name, password } = row;
  if (kind === 'pdf') {
    return (
      <Opened file={asFile(blob, name, password)} t={t}>
        {(pdf) => <PageScroll pdf={pdf} t={t} />}
      </Opened>
    );
  }
  if (blob && SHOWN_PICTURES.includes(kind)) return <Picture blob={blob} name={name} t={t} />;
  if (blob && kind === 'docx') return <WordPages blob={blob} name={name} t={t} />;
  return <Empty>{blob ? t.noPicture : t.absent}</Empty>;
}
