import type { SignField } from './fields';
import { blockPage, RATIO } from './plan';
import type { SignOptions } from './types';

type Box = { x: number; y: number; width: number; height: number };

/** Where a block stands that nobody has moved, as cluster/signing.py states it; and the columns and rows tried then. */
const FRESH = { page: 0, x: 0.28, y: 0.88 };
const COLUMNS = [FRESH.x, 0.72];
const ROWS = Array.from({ length: 12 }, (_, at) => FRESH.y - 0.07 * at);

const meet = (one: Box, two: Box): boolean =>
  2 * Math.abs(one.x - two.x) < one.width + two.width &&
  2 * Math.abs(one.y - two.y) < one.height + two.height;

/** A new block not over what others signed before: beside or above it, as long as nobody has put it anywhere. */
export function besideSigned(options: SignOptions, pages: number, fields: readonly SignField[]): SignOptions {
  const { certificate } = options;
  if (certificate.how !== 'pkcs12' || certificate.field) return options;
  const { block } = certificate;
  const page = blockPage(options, pages, []);
  const signed = fields.filter((field) => field.signed && field.page === page);
  const { sheet } = signed[0] ?? {};
  if (!sheet || block.page !== FRESH.page || block.x !== FRESH.x || block.y !== FRESH.y) return options;
  const isFree = ({ x, y }: { x: number; y: number }) => {
    const box = {
      x: x * sheet.width,
      y: (1 - y) * sheet.height,
      width: block.width,
      height: block.width * RATIO,
    };
    return !signed.some((field) => meet(field, box));
  };
  if (isFree(block)) return options;
  const free = ROWS.flatMap((y) => COLUMNS.map((x) => ({ x, y: Math.round(y * 1e4) / 1e4 }))).find(isFree);
  return free ? { ...options, certificate: { ...certificate, block: { ...block, ...free } } } : options;
}
