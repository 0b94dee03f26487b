import { getViteConfig } from 'astro/config';

export default getViteConfig({
  test: { environment: 'jsdom', include: ['src/**/*.test.{ts,tsx}'] },
} as Parameters<typeof getViteConfig>[0]);
