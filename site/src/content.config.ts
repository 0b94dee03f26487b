import { glob } from 'astro/loaders';
import { defineCollection } from 'astro:content';
import { z } from 'astro/zod';

/** The pictures an advantage may carry; drawn in src/components/AdvantageIcon.astro. */
export const ADVANTAGE_ICONS = [
  'speed',
  'lock',
  'trash',
  'batch',
  'quality',
  'structure',
  'text',
  'ocr',
  'free',
  'device',
  'preview',
  'cloud',
  'repair',
  'size',
  'order',
  'font',
] as const;

/**
 * One file per tool and language: src/content/tools/{zh,en}/<key>.yaml, where <key> is the tool's
 * key in contract.json. `src/lib/tools.ts` stops the build when a tool of the contract lacks one.
 */
const tools = defineCollection({
  loader: glob({
    pattern: '{zh,en}/*.yaml',
    base: './src/content/tools',
    generateId: ({ entry }) => entry.replace(/\.yaml$/, ''),
  }),
  schema: z.strictObject({
    toolTitle: z.string().min(2).max(40),
    title: z.string().min(8).max(90),
    keywords: z.array(z.string().min(1)).min(3).max(14),
    desc: z.string().min(20).max(220),
    summary: z.string().min(4).max(90),
    /**
     * The tool's own verb, and what its start will do once that is known: the first of `outcomes` whose facts are
     * (`n` files of several, `pages`, `parts` … of src/workbench/outcome.ts). `idle` says why a start would change nothing,
     * `everything` why it would leave nothing, `unmarked` and `unshaped` that no bookmark and no page is as asked for,
     * `uncounted` that pages must be counted first.
     */
    action: z.strictObject({
      start: z.string().min(2).max(24),
      outcomes: z.array(z.string().includes('{')).min(1).max(4),
      idle: z.string().min(8).optional(),
      everything: z.string().min(8).optional(),
      unmarked: z.string().min(8).optional(),
      unshaped: z.string().min(8).optional(),
      uncounted: z.string().min(8).optional(),
    }),
    /** Further words by which the tool is searched for: pinyin and its initials, synonyms, what people complain of. */
    search: z.array(z.string().min(2)).min(4),
    advantages: z
      .array(
        z.strictObject({ icon: z.enum(ADVANTAGE_ICONS), title: z.string().min(2), desc: z.string().min(8) }),
      )
      .length(4),
    steps: z.array(z.strictObject({ title: z.string().min(2), desc: z.string().min(6) })).length(3),
    faq: z
      .array(z.strictObject({ q: z.string().min(4), a: z.string().min(8) }))
      .min(3)
      .max(10),
    related: z.array(z.string()).max(6),
  }),
});

/** About, terms and privacy: prose in Markdown. */
const pages = defineCollection({
  loader: glob({
    pattern: '{zh,en}/*.md',
    base: './src/content/pages',
    generateId: ({ entry }) => entry.replace(/\.md$/, ''),
  }),
  schema: z.strictObject({ title: z.string(), desc: z.string().min(20), updated: z.string().optional() }),
});

export const collections = { tools, pages };
