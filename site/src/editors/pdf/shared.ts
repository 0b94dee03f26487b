import { type OpenPdf, openPdf } from './open';

type Shared = { opening: Promise<OpenPdf>; users: number };

const shared = new WeakMap<Blob, Map<string, Shared>>();

/**
 * The file as an opened PDF, the same for all who show it: a flat page tree of 10,000 pages costs as many reads.
 * Each who borrows gives back, also when it could not be opened; the last one closes it.
 */
export function borrow(blob: Blob, password = ''): Promise<OpenPdf> {
  const byPassword = shared.get(blob) ?? new Map<string, Shared>();
  shared.set(blob, byPassword);
  const one = byPassword.get(password) ?? { opening: openPdf(blob, password || undefined), users: 0 };
  one.users += 1;
  byPassword.set(password, one);
  return one.opening;
}

export function giveBack(blob: Blob, password = ''): void {
  const byPassword = shared.get(blob);
  const one = byPassword?.get(password);
  if (!byPassword || !one) return;
  one.users -= 1;
  if (one.users > 0) return;
  byPassword.delete(password);
  void one.opening.then((pdf) => pdf.close()).catch(() => undefined);
}
