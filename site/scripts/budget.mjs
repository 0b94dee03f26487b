// Fails the build when a page grew beyond its byte budget (gzip).
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { gzipSync } from 'node:zlib';

const DIST = 'dist';
const BUDGETS = { early: 15_000, island: 110_000, css: 20_000, html: 30_000 };

const STATIC = /(?:^|[;\s}])(?:import|export)\s*(?:[\w$*{},\s]+\s*from\s*)?["'](\.{1,2}\/[^"']+\.js)["']/g;
const MOUNT = /import\(\s*["'`](\.\/mount\.[^"'`]+\.js)["'`]\s*\)/;
const SCRIPT = /<script[^>]*\ssrc="([^"]+\.js)"/g;
const STYLE = /<link[^>]*rel="stylesheet"[^>]*href="([^"]+)"/g;

const read = (path) => readFile(join(DIST, path), 'utf8');
const weigh = (text) => gzipSync(text, { level: 9 }).length;

async function closure(entries, seen = new Map()) {
  for (const path of entries) {
    if (seen.has(path)) continue;
    const code = await read(path);
    seen.set(path, code);
    const next = [...code.matchAll(STATIC)].map(([, to]) => posix.join(dirname(path), to));
    await closure(next, seen);
  }
  return seen;
}

const total = (modules) => [...modules.values()].reduce((sum, code) => sum + weigh(code), 0);

function mountOf(modules) {
  for (const [path, code] of modules) {
    const found = MOUNT.exec(code);
    if (found) return posix.join(dirname(path), found[1]);
  }
  return null;
}

async function measure(page) {
  const html = await read(page);
  const early = await closure([...html.matchAll(SCRIPT)].map(([, src]) => src));
  const mount = html.includes('data-island') ? mountOf(early) : null;
  if (html.includes('data-island') && !mount) throw new Error(`${page}: the island's chunk was not found`);
  const island = mount ? await closure([mount], new Map(early)) : early;
  const styles = await Promise.all([...html.matchAll(STYLE)].map(([, href]) => read(href)));
  const css = styles.reduce((sum, style) => sum + weigh(style), 0);
  return { early: total(early), island: total(island), css, html: weigh(html) };
}

const files = await readdir(DIST, { recursive: true });
const pages = files.filter((file) => file.endsWith('.html'));
const worst = { early: 0, island: 0, css: 0, html: 0 };
const over = [];
for (const page of pages) {
  const sizes = await measure(page);
  for (const [name, bytes] of Object.entries(sizes)) {
    worst[name] = Math.max(worst[name], bytes);
    if (bytes > BUDGETS[name]) over.push(`${page}: ${name} ${bytes} > ${BUDGETS[name]} bytes gzip`);
  }
}
const report = Object.entries(worst).map(
  ([name, bytes]) => `${name} ${(bytes / 1000).toFixed(1)} of ${BUDGETS[name] / 1000} kB`,
);
console.log(`byte budget, largest of ${pages.length} pages: ${report.join(', ')}`);
if (over.length > 0) {
  console.error(over.join('\n'));
  process.exit(1);
}
