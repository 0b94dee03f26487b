import { useEffect, useMemo, useState } from 'react';
import type { Client, Sizes } from '../api/client';
import type { Json } from './contract';
import type { Row } from './state';
import { fill, sizeText } from './words';

const markOf = ({ key, password }: Row) => `${key} ${password ?? ''}`;

/** The files' sizes added up by level; null while one of them is not known. */
export function added(sizes: (Sizes | null | undefined)[]): Sizes | null {
  const total: Sizes = {};
  for (const each of sizes) {
    if (!each) return null;
    for (const [level, size] of Object.entries(each)) total[level] = (total[level] ?? 0) + size;
  }
  return sizes.length > 0 ? total : null;
}

/** What was told of the levels, unless other switches make it untrue. */
export const standing = (sizes: Sizes | null, options: Json): Sizes | null =>
  isObject(options) && (options.gray || options.exact) ? null : sizes;

/** How large the results would be, in words to stand beside each level. */
export function asidesOf(sizes: Sizes | null, rows: Row[], t: { about: string; aboutLess: string }) {
  const before = rows.reduce((total, { size }) => total + size, 0);
  const words = Object.entries(sizes ?? {}).map(([level, size]) => {
    const less = Math.round((1 - size / before) * 100);
    return [level, fill(less > 0 ? t.aboutLess : t.about, { size: sizeText(size), percent: `${less}%` })];
  });
  return Object.fromEntries(words) as Record<string, string>;
}

const isObject = (value: Json): value is { [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Asks the API file by file, of each only once: what was asked goes on while rows come, go and change. */
export class Estimates {
  private known = new Map<string, Promise<Sizes | null>>();
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private client: Client,
    private toolId: number,
  ) {}

  of(row: Row): Promise<Sizes | null> {
    const mark = markOf(row);
    const known = this.known.get(mark);
    if (known) return known;
    const asked = this.last.then(() => this.ask(row)).catch(() => null);
    this.known.set(mark, asked);
    this.last = asked;
    return asked;
  }

  private ask({ key, name, password }: Row): Promise<Sizes | null> {
    return this.client.estimate(this.toolId, { key: key!, name, ...(password ? { password } : {}) });
  }
}

const canBeTold = ({ key, locked, password }: Row) => key !== null && (!locked || Boolean(password));

/** How large the results would be at each level, all together; null as long as it is not known. */
export function useEstimate(client: Client, toolId: number, wanted: boolean, rows: Row[]): Sizes | null {
  const estimates = useMemo(() => new Estimates(client, toolId), [client, toolId]);
  const [sizes, setSizes] = useState<Sizes | null>(null);
  useEffect(() => {
    let current = true;
    const told = wanted && rows.every(canBeTold) ? Promise.all(rows.map((row) => estimates.of(row))) : null;
    if (told) void told.then((each) => current && setSizes(added(each)));
    else setSizes(null);
    return () => {
      current = false;
    };
  }, [estimates, wanted, rows]);
  return sizes;
}
