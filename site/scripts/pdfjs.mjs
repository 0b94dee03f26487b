/** Puts what pdf.js loads by address (character maps, standard fonts, decoders) beside the site, at /pdfjs/. */
import { cp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = dirname(fileURLToPath(import.meta.resolve('pdfjs-dist/package.json')));
const target = fileURLToPath(new URL('../public/pdfjs/', import.meta.url));

await rm(target, { recursive: true, force: true });
for (const folder of ['cmaps', 'standard_fonts', 'wasm', 'iccs']) {
  await cp(join(source, folder), join(target, folder), { recursive: true });
}
