import { useEffect, useRef, useState } from 'react';
import { Empty } from './Opened';
import type { PreviewWords } from './words';

/** Bytes above which the browser would stand still for too long. */
const MOST = 6_000_000;
/** CSS pixels kept free beside a page. */
const EDGE = 24;

type Drawn = { sheets: CSSStyleSheet[]; pages: HTMLElement };

/** The pages of a Word document as HTML; nothing in them leads anywhere or is fetched. */
async function draw(blob: Blob): Promise<Drawn> {
  const { defaultOptions, parseAsync, renderDocument } = await import('docx-preview');
  /** Styles are set by the object model: the page's policy lets no written ones in. */
  const h: typeof defaultOptions.h = (part) => {
    if (typeof part === 'string' || part instanceof Node) return defaultOptions.h(part);
    const { style, children = [], ...rest } = part;
    const node = defaultOptions.h({ ...rest, children: children.map(h) });
    if (node instanceof HTMLElement || node instanceof SVGElement) {
      if (typeof style === 'string') node.style.cssText = style;
      else Object.assign(node.style, style);
    }
    return node;
  };
  const options = { ...SAFE, h };
  const nodes = await renderDocument(await parseAsync(blob, options), options);
  const styles = nodes.filter((node) => node.nodeName === 'STYLE');
  const pages = document.createElement('div');
  pages.append(...nodes.filter((node) => node.nodeName !== 'STYLE'));
  for (const link of pages.querySelectorAll('a')) link.removeAttribute('href');
  for (const picture of pages.querySelectorAll('img')) picture.alt ||= '';
  return { sheets: [...styles.map(({ textContent }) => sheetOf(textContent ?? '')), sheetOf(LOOK)], pages };
}

const SAFE = {
  useBase64URL: true,
  ignoreFonts: true,
  renderAltChunks: false,
  ignoreLastRenderedPageBreak: false,
};

/** Adopted rather than inserted: the page's policy lets no other style in. */
function sheetOf(text: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(text);
  return sheet;
}

/** Where a section names no paper and no margins it has those of the format: Letter, an inch. */
const LOOK = `
  .docx-wrapper { padding: 0; background: none; }
  section.docx:not([style*="width"]) { width: 8.5in; min-height: 11in; }
  section.docx:not([style*="padding"]) { padding: 1in; }
  .docx-wrapper > section.docx { margin: 0 auto 12px; color: #111; box-shadow: 0 1px 3px rgb(0 0 0 / 0.18); }
`;

/** A Word document drawn by the browser: close to what Word shows, not the same. */
export function WordPages({ blob, name, t }: { blob: Blob; name: string; t: PreviewWords }) {
  const host = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'busy' | 'shown' | 'failed'>(blob.size > MOST ? 'failed' : 'busy');
  useEffect(() => {
    if (blob.size > MOST) return;
    let current = true;
    draw(blob).then(
      (drawn) => {
        if (!current || !host.current) return;
        show(host.current, drawn);
        setState('shown');
      },
      () => current && setState('failed'),
    );
    return () => {
      current = false;
    };
  }, [blob]);
  useFitting(host, state === 'shown');
  if (state === 'failed') return <Empty>{t.noResultPicture}</Empty>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <figure className="word-pages" data-testid="word-pages" data-state={state} aria-label={name} tabIndex={0}>
      {state === 'busy' && <Empty busy>{t.opening}</Empty>}
      <div ref={host} />
      {state === 'shown' && <figcaption>{t.byBrowser}</figcaption>}
    </figure>
  );
}

function show(host: HTMLElement, { sheets, pages }: Drawn): void {
  const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
  root.adoptedStyleSheets = sheets;
  root.replaceChildren(pages);
}

/** A page is never wider than its room, and never larger than it is. */
function useFitting(host: React.RefObject<HTMLElement | null>, shown: boolean): void {
  useEffect(() => {
    const room = host.current?.parentElement;
    const pages = host.current?.shadowRoot?.querySelector<HTMLElement>('.docx-wrapper');
    if (!shown || !room || !pages) return;
    const resize = () => {
      pages.style.zoom = '1';
      const widest = Math.max(...[...pages.children].map((page) => (page as HTMLElement).offsetWidth), 1);
      pages.style.zoom = String(Math.min(1, (room.clientWidth - EDGE) / widest));
    };
    const observer = new ResizeObserver(resize);
    observer.observe(room);
    resize();
    return () => observer.disconnect();
  }, [host, shown]);
}
