import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const DEPENDENCIES = /m\.f=\[([^\]]*)\]/g;
const LINK = /<link rel="stylesheet" href="\/([^"]+)">/g;

/** Styles that a lazily loaded chunk brings along by itself. */
async function lazyStyles(folder, files) {
  const scripts = files.filter((file) => file.endsWith('.js'));
  const codes = await Promise.all(scripts.map((file) => readFile(join(folder, file), 'utf8')));
  const lists = codes.flatMap((code) =>
    [...code.matchAll(DEPENDENCIES)].map(([, list]) => JSON.parse(`[${list}]`)),
  );
  return new Set(lists.flat().filter((file) => file.endsWith('.css')));
}

// Astro links the styles of everything a page's script may ever import; a page would wait for them all.
export default function styles() {
  return {
    name: 'lazy-styles',
    hooks: {
      async 'astro:build:done'({ dir }) {
        const folder = fileURLToPath(dir);
        const files = await readdir(folder, { recursive: true });
        const lazy = await lazyStyles(folder, files);
        for (const file of files.filter((name) => name.endsWith('.html'))) {
          const html = await readFile(join(folder, file), 'utf8');
          const lean = html.replace(LINK, (link, href) => (lazy.has(href) ? '' : link));
          if (lean !== html) await writeFile(join(folder, file), lean);
        }
      },
    },
  };
}
