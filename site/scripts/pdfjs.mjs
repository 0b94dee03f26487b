import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Without its character maps, fonts and decoders pdf.js shows neither CJK text nor JPEG 2000.
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];
// Where a page tree is flat, pdf.js reads every page's object, all over the file, before it shows the first page:
// 20 seconds for 10,000 pages in 3 GB. It does so twice: it looks up the last page, and it fetches all kids of the
// root ahead. From this size on the tree's own count is believed, and no more than so many kids are fetched ahead.
const BELIEVED = 32 << 20;
const AHEAD = 1000;
// Where letters are outlines pdf.js draws Arial Narrow that a document does not carry with Arial's, which lie over each
// other then: they get its share of the width.
const NARROW = 0.82;
const PATCHES = [
  [
    /await this\.ensureDoc\("checkLastPage",\[(\w+)\]\)/g,
    (call, recovering) => `(${recovering}||this.pdfDocument.stream.length<${BELIEVED})&&${call}`,
  ],
  [
    /(const \w+=(\w+)\[\w+\];\w+\.push\(\w+\);)(\w+===this\.toplevelPagesDict&&)/g,
    (_, before, kids, after) => `${before}${kids}.length<${AHEAD}&&${after}`,
  ],
  [
    /const (\w+)=new Font\((\w+)\.name,\w+,(\w+),this\.options\);/g,
    (call, font, name, has) =>
      `${call}${font}.share=${has}.isInternalFont&&/Narrow/.test(${name}.name)?${NARROW}:1;`,
  ],
  [
    /\[1\/(\w+),0,0,1\/\1,0,0\]:(\w+)\.fontMatrix/g,
    (_, units, font) => `[(${font}.share||1)/${units},0,0,1/${units},0,0]:${font}.fontMatrix`,
  ],
];

export default function pdfjs() {
  return {
    name: 'pdfjs-assets',
    hooks: {
      async 'astro:config:setup'({ config, updateConfig }) {
        const from = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
        const to = join(fileURLToPath(config.publicDir), 'pdfjs');
        await rm(to, { recursive: true, force: true });
        await mkdir(to, { recursive: true });
        for (const folder of FOLDERS) await cp(join(from, folder), join(to, folder), { recursive: true });
        const worker = patched(await readFile(join(from, 'build/pdf.worker.min.mjs'), 'utf8'));
        const name = `worker-${createHash('sha256').update(worker).digest('hex').slice(0, 12)}.mjs`;
        await writeFile(join(to, name), worker);
        updateConfig({ vite: { define: { __PDF_WORKER__: JSON.stringify(`/pdfjs/${name}`) } } });
      },
    },
  };
}

function patched(worker) {
  return PATCHES.reduce((text, [place, change]) => {
    if ([...text.matchAll(place)].length !== 1)
      throw new Error(`pdf.js has changed: ${place} is not in its worker`);
    return text.replace(place, change);
  }, worker);
}
