import { getViteConfig } from 'astro/config';

const all = 'src/**/*.test.{ts,tsx}';
/** Those that need Node's own streams and files, which a context of `vm` lacks. */
const streaming = ['src/api/client.test.ts', 'src/workbench/uploads.test.ts'];

// A file's page is a context of its worker: to load jsdom anew for each took four fifths of the whole run.
export default getViteConfig({
  test: {
    environment: 'jsdom',
    projects: [
      { extends: true, test: { name: 'pages', pool: 'vmThreads', include: [all], exclude: streaming } },
      { extends: true, test: { name: 'streams', include: streaming } },
    ],
  },
} as Parameters<typeof getViteConfig>[0]);
