import type { ChosenFile, FieldSchema } from '../workbench/contract';

/** As pydantic writes a frozen dataclass with a tagged union, an optional number and a condition. */
export const SPLIT: FieldSchema = {
  $defs: {
    ByRanges: {
      type: 'object',
      properties: {
        how: { const: 'ranges', default: 'ranges', type: 'string' },
        ranges: { type: 'string', default: '', ui: { widget: 'pages', title: { zh: '页码', en: 'Pages' } } },
      },
      ui: { title: { zh: '按范围', en: 'By ranges' } },
    },
    Every: {
      type: 'object',
      properties: {
        how: { const: 'every', default: 'every', type: 'string' },
        pages: {
          type: 'integer',
          minimum: 1,
          default: 2,
          ui: { widget: 'number', title: { zh: '页数', en: 'Pages each' } },
        },
      },
      ui: { title: { zh: '每 N 页', en: 'Every N pages' } },
    },
  },
  type: 'object',
  properties: {
    mode: {
      oneOf: [{ $ref: '#/$defs/ByRanges' }, { $ref: '#/$defs/Every' }],
      discriminator: { propertyName: 'how', mapping: { ranges: '#/$defs/ByRanges', every: '#/$defs/Every' } },
      default: { how: 'every' },
      ui: { widget: 'tabs', title: { zh: '方式', en: 'How' } },
    },
    format: {
      enum: ['png', 'jpg'],
      type: 'string',
      default: 'png',
      ui: { widget: 'choice', choices: { jpg: { zh: 'JPG', en: 'JPG' }, png: { zh: 'PNG', en: 'PNG' } } },
    },
    quality: {
      type: 'integer',
      minimum: 1,
      maximum: 100,
      default: 80,
      ui: { widget: 'slider', title: { zh: '质量', en: 'Quality' }, when: { format: ['jpg'] } },
    },
    target: {
      anyOf: [{ type: 'integer', minimum: 10 }, { type: 'null' }],
      default: null,
      ui: { widget: 'number', title: { zh: '目标', en: 'Target' }, unit: 'KB', advanced: true },
    },
    clicks: { anyOf: [{ type: 'array' }, { type: 'null' }], default: null, ui: { widget: 'hidden' } },
  },
};

export const file = (name: string, pages: number | null): ChosenFile => ({
  id: name,
  name,
  size: 1,
  kind: 'pdf',
  blob: null,
  key: null,
  pages,
});
