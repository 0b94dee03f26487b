import { describe, expect, it } from 'vitest';
import type { Client } from '../api/client';
import { added, asidesOf, Estimates, standing } from './estimate';
import type { Row } from './state';

const row = (key: string, password = '') =>
  ({ id: key, key, name: `${key}.pdf`, size: 1000, password }) as Row;

describe('what compress would leave', () => {
  it('adds up files by level, and knows nothing while one is unknown', () => {
    expect(
      added([
        { light: 3, strong: 1 },
        { light: 4, strong: 2 },
      ]),
    ).toEqual({ light: 7, strong: 3 });
    expect(added([{ light: 3 }, null])).toBeNull();
    expect(added([])).toBeNull();
  });

  it('asks of each file once, one after another, and again only with another password', async () => {
    const asked: string[] = [];
    let running = 0;
    const estimate = async (_: number, file: { key: string; password?: string }) => {
      running += 1;
      expect(running).toBe(1);
      await Promise.resolve();
      running -= 1;
      asked.push(`${file.key}${file.password ?? ''}`);
      if (file.key === 'b') throw new Error('refused');
      return { light: 5 };
    };
    const estimates = new Estimates({ estimate } as unknown as Client, 1);
    const told = [row('a'), row('b'), row('a'), row('a', 'x')].map((each) => estimates.of(each));
    expect(await Promise.all(told)).toEqual([{ light: 5 }, null, { light: 5 }, { light: 5 }]);
    expect(asked).toEqual(['a', 'b', 'ax']);
  });

  it('is silent where other switches make it untrue', () => {
    expect(standing({ light: 5 }, { level: 'light', gray: false })).toEqual({ light: 5 });
    expect(standing({ light: 5 }, { level: 'light', gray: true })).toBeNull();
    expect(standing({ light: 5 }, { level: 'light', exact: true })).toBeNull();
  });

  it('says size and share beside each level', () => {
    const t = { about: '约 {size}', aboutLess: '约 {size} · 小 {percent}' };
    const rows = [{ ...row('a'), size: 4 << 20 }];
    expect(asidesOf({ light: 4 << 20, strong: 1 << 20 }, rows, t)).toEqual({
      light: '约 4.0 MB',
      strong: '约 1.0 MB · 小 75%',
    });
  });
});
