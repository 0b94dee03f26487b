import { randomUUID } from 'node:crypto';
import react from '@astrojs/react';
import sitemap from '@astrojs/sitemap';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'astro/config';
import { publicOrigin } from './scripts/origin.mjs';
import payloads from './scripts/payloads.mjs';
import pdfjs from './scripts/pdfjs.mjs';
import source from './scripts/source.mjs';
import styles from './scripts/styles.mjs';

const site = publicOrigin(process.env);
const buildId = process.env.PAPERCRANE_BUILD_ID ?? randomUUID();
const inSitemap = (page) =>
  !/\/(sub\/|404|500|tasks|Orders|SignPad|UserInfo|pay\/)/.test(new URL(page).pathname);

export default defineConfig({
  // Not below node_modules, which several checkouts may share: one's words would stand in another's pages.
  cacheDir: './.astro/cache',
  site,
  trailingSlash: 'never',
  // 'file' would put .html into every canonical address.
  build: { format: 'directory', assets: 'assets', inlineStylesheets: 'never' },
  compressHTML: true,
  devToolbar: { enabled: false },
  i18n: { defaultLocale: 'zh', locales: ['zh', 'en'], routing: { prefixDefaultLocale: false } },
  integrations: [
    react(),
    sitemap({ filter: inSitemap, i18n: { defaultLocale: 'zh', locales: { zh: 'zh-CN', en: 'en' } } }),
    payloads(),
    pdfjs(),
    source(),
    styles(),
  ],
  vite: {
    plugins: [tailwindcss()],
    define: { __BUILD_ID__: JSON.stringify(buildId), __SITE_URL__: JSON.stringify(site) },
    build: { assetsInlineLimit: 0 },
  },
});
