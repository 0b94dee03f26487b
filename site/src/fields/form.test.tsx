// @vitest-environment jsdom
import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { FieldSchema, Json } from '../workbench/contract';
import { problemsOf } from './checks';
import { type FormProblem, OptionsForm } from './OptionsForm';
import { file, SPLIT } from './sample';
import { defaultsOf } from './schema';
import { uploadedFile } from './uploads';

declare global {
  var IS_REACT_ACT_ENVIRONMENT: boolean;
}
globalThis.IS_REACT_ACT_ENVIRONMENT = true;

let root: Root;
let page: HTMLElement;
let value: Json;

type Setup = {
  schema?: FieldSchema;
  error?: FormProblem;
  upload?: (file: File) => Promise<string>;
  files?: number;
};

function Harness({ schema = SPLIT, error, upload = async () => 'key', files = 1 }: Setup) {
  const [options, setOptions] = useState(defaultsOf(schema));
  value = options;
  const chosen = Array.from({ length: files }, (_, i) => file(`${i + 1}.pdf`, 10));
  return (
    <OptionsForm
      schema={schema}
      value={options}
      onChange={setOptions}
      error={error}
      context={{ files: chosen, lang: 'zh', upload }}
    />
  );
}

const show = (setup: Setup = {}) => act(async () => root.render(<Harness {...setup} />));

beforeEach(() => {
  page = document.body.appendChild(document.createElement('main'));
  root = createRoot(page);
});

afterEach(async () => {
  await act(async () => root.unmount());
  page.remove();
});

function labelled<T extends HTMLElement = HTMLInputElement>(text: string): T {
  const label = [...page.querySelectorAll('label')].find((one) => one.textContent?.trim() === text);
  const target = label?.htmlFor ? document.getElementById(label.htmlFor) : label?.querySelector('input');
  if (!target) throw new Error(`nothing is labelled ${text}`);
  return target as T;
}

const button = (text: string) => {
  const found = [...page.querySelectorAll('button')].find(
    (one) => (one.ariaLabel ?? one.textContent) === text,
  );
  if (!found) throw new Error(`no button ${text}`);
  return found;
};

const type = (input: HTMLInputElement, text: string) =>
  act(async () => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, text);
    input.dispatchEvent(new Event('input', { bubbles: true }));
  });

const press = (element: HTMLElement) => act(async () => element.click());

describe('a union as tabs', () => {
  test('a tab switches the fields, and what was typed comes back with its tab', async () => {
    await show();
    await type(labelled('页数'), '7');
    await press(button('按范围'));
    expect(value).toMatchObject({ mode: { how: 'ranges', ranges: '' } });
    await press(button('每 N 页'));
    expect(value).toMatchObject({ mode: { how: 'every', pages: 7 } });
  });

  test('arrow keys move between tabs', async () => {
    await show();
    const open = button('每 N 页');
    await act(async () =>
      open.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true })),
    );
    expect(button('按范围').getAttribute('aria-selected')).toBe('true');
    expect(document.activeElement).toBe(button('按范围'));
  });
});

test('a condition shows and hides its field', async () => {
  await show();
  expect(() => labelled('质量')).toThrow();
  await press(labelled('JPG'));
  expect(labelled('质量').value).toBe('80');
});

describe('page ranges', () => {
  test('count while typing, and a shortcut writes its word', async () => {
    await show();
    await press(button('按范围'));
    await type(labelled('页码'), '2-4');
    expect(page.textContent).toContain('已选 3 页，共 10 页');
    await press(button('奇数页'));
    expect(value).toMatchObject({ mode: { ranges: 'odd' } });
  });

  test('what is out of range is said at the field and tied to it', async () => {
    await show();
    await press(button('按范围'));
    const input = labelled('页码');
    await type(input, '11');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
    expect(described.map((id) => document.getElementById(id)?.textContent).join()).toContain('共 10 页');
  });
});

describe('numbers', () => {
  test('half-typed text stays, an empty optional one is null, the step button stays in bounds', async () => {
    await show();
    const target = labelled('目标');
    await type(target, '12');
    expect(value).toMatchObject({ target: 12 });
    await type(target, '');
    expect(value).toMatchObject({ target: null });
    await press(button('减少: 页数'));
    await press(button('减少: 页数'));
    expect(value).toMatchObject({ mode: { pages: 1 } });
  });

  test('full-width digits count', async () => {
    await show();
    await type(labelled('页数'), '１２');
    expect(value).toMatchObject({ mode: { pages: 12 } });
  });
});

test('advanced fields wait in a disclosure, which opens for a problem', async () => {
  await show({ error: { field: 'target', msg: '太小了' } });
  const fold = page.querySelector('details');
  expect(fold?.contains(labelled('目标'))).toBe(true);
  expect(fold?.open).toBe(true);
  expect(fold?.querySelector('[role=alert]')?.textContent).toBe('太小了');
});

test('an error without a known field stands above the form', async () => {
  await show({ error: { field: '', msg: '服务器说不' } });
  expect(page.querySelector('[role=alert]')?.textContent).toBe('服务器说不');
});

test('a file field uploads, writes the key and remembers the file', async () => {
  const schema: FieldSchema = {
    properties: { image: { type: 'string', ui: { widget: 'file', title: { zh: '图', en: 'Image' } } } },
  };
  await show({ schema, upload: async (chosen) => `uploads/me/${chosen.name}` });
  const input = page.querySelector<HTMLInputElement>('input[type=file]');
  const seal = new File(['x'], 'seal.png');
  Object.defineProperty(input, 'files', { value: [seal] });
  await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
  expect(value).toEqual({ image: 'uploads/me/seal.png' });
  expect(uploadedFile('uploads/me/seal.png')).toBe(seal);
  expect(page.textContent).toContain('seal.png');
});

test('what is changed while a file goes up stays', async () => {
  const schema: FieldSchema = {
    type: 'object',
    properties: {
      image: { type: 'string', default: '', ui: { widget: 'file', title: { zh: '图', en: 'Image' } } },
      bold: { type: 'boolean', default: false, ui: { widget: 'toggle', title: { zh: '粗', en: 'Bold' } } },
    },
  } as unknown as FieldSchema;
  let arrive = (_: string) => {};
  await show({ schema, upload: () => new Promise((resolve) => (arrive = resolve)) });
  const input = page.querySelector<HTMLInputElement>('input[type=file]')!;
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'seal.png')] });
  await act(async () => input.dispatchEvent(new Event('change', { bubbles: true })));
  await act(async () => page.querySelector<HTMLElement>('[role=switch]')!.click());
  await act(async () => arrive('uploads/me/seal.png'));
  expect(value).toEqual({ image: 'uploads/me/seal.png', bold: true });
});

test('a failed upload says so and leaves the value', async () => {
  const schema: FieldSchema = { properties: { image: { type: 'string', ui: { widget: 'file' } } } };
  await show({ schema, upload: () => Promise.reject(new Error('offline')) });
  const input = page.querySelector<HTMLInputElement>('input[type=file]');
  Object.defineProperty(input, 'files', { value: [new File(['x'], 'seal.png')] });
  await act(async () => input?.dispatchEvent(new Event('change', { bubbles: true })));
  expect(value).toEqual({ image: '' });
  expect(page.textContent).toContain('上传失败');
});

test('per-file rows write an array aligned with the files', async () => {
  const items: FieldSchema = {
    type: 'object',
    properties: {
      pages: { type: 'string', default: '', ui: { widget: 'pages', title: { zh: '页码', en: 'Pages' } } },
    },
  };
  const schema: FieldSchema = {
    properties: { rows: { type: 'array', default: [], items, ui: { widget: 'per_file' } } },
  };
  await show({ schema, files: 2 });
  const second = page.querySelectorAll<HTMLInputElement>('li input')[1] as HTMLInputElement;
  await type(second, '3');
  expect(value).toEqual({ rows: [{ pages: '' }, { pages: '3' }] });
});

test('a password can be shown', async () => {
  const schema: FieldSchema = {
    properties: {
      pwd: { type: 'string', ui: { widget: 'password', title: { zh: '密码', en: 'Password' } } },
    },
  };
  await show({ schema });
  expect(labelled('密码').type).toBe('password');
  await press(button('显示密码'));
  expect(labelled('密码').type).toBe('text');
});

test('a new password is measured while it is typed, and only where that is wanted', async () => {
  const field = (strength: boolean): FieldSchema => ({
    type: 'string',
    ui: { widget: 'password', title: { zh: strength ? '新' : '旧', en: '' }, strength },
  });
  await show({ schema: { properties: { fresh: field(true), old: field(false) } } });
  expect(page.querySelector('[data-strength]')).toBeNull();
  await type(labelled('旧'), 'abc');
  await type(labelled('新'), 'abc');
  const said = page.querySelectorAll<HTMLElement>('[data-strength]');
  expect(said.length).toBe(1);
  expect(said[0]?.textContent).toContain('太弱');
  await type(labelled('新'), 'Kite7x hill over');
  await vi.waitFor(
    () => expect(page.querySelector('[data-strength]')?.textContent).toContain('很强'),
    10_000,
  );
});

test('boxes of a list are ticked one by one, in the order of the schema', async () => {
  const schema: FieldSchema = {
    properties: {
      allowed: {
        type: 'array',
        default: ['print', 'fill'],
        items: { type: 'string', enum: ['print', 'copy', 'fill'] },
        ui: {
          widget: 'checks',
          choices: {
            print: { zh: '打印', en: '' },
            copy: { zh: '复制', en: '' },
            fill: { zh: '填表', en: '' },
          },
        },
      },
    },
  };
  await show({ schema });
  await press(labelled('复制'));
  await press(labelled('打印'));
  expect(value).toEqual({ allowed: ['copy', 'fill'] });
});

test('a tick that must be made starts open and is asked for', async () => {
  const schema: FieldSchema = {
    properties: {
      owned: { type: 'boolean', ui: { widget: 'toggle', title: { zh: '我的', en: '' }, must: true } },
    },
  };
  await show({ schema });
  expect(value).toEqual({ owned: false });
  expect(problemsOf(schema, value, { files: [], lang: 'zh' })).toEqual({ owned: '请填写此项' });
  expect(page.querySelector('[role=alert]')).toBeNull();
  await press(labelled('我的'));
  expect(problemsOf(schema, value, { files: [], lang: 'zh' })).toEqual({});
});

test('every control has a name', async () => {
  await show();
  await press(labelled('JPG'));
  const controls = page.querySelectorAll<HTMLInputElement>('input, select, textarea, button');
  expect(controls.length).toBeGreaterThan(8);
  for (const control of controls) {
    const name = control.ariaLabel ?? control.labels?.[0]?.textContent ?? control.textContent;
    expect(name?.trim(), control.outerHTML).not.toBe('');
  }
});
