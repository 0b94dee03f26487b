import { cp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Without its character maps, fonts and decoders pdf.js shows neither CJK text nor JPEG 2000.
const FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];

export default function pdfjs() {
  return {
    name: 'pdfjs-assets',
    hooks: {
      async 'astro:config:setup'({ config }) {
        const from = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));
        const to = join(fileURLToPath(config.publicDir), 'pdfjs');
        await rm(to, { recursive: true, force: true });
        for (const folder of FOLDERS) await cp(join(from, folder), join(to, folder), { recursive: true });
      },
    },
  };
}
