import { type OpenPdf, openPdf } from './open';

type Shared = { opening: Promise<OpenPdf>; users: number; failed: boolean; close(): void };

/** Documents that nobody looks at but that stay open: scrolling back and forth does not open them anew. */
const MOST_RESTING = 3;

const shared = new WeakMap<Blob, Map<string, Shared>>();
let resting: Shared[] = [];

/**
 * The file as an opened PDF, the same for all who show it: a flat page tree of 10,000 pages costs as many reads.
 * Each who borrows gives back, also when it could not be opened; some time after the last one it is closed.
 */
export function borrow(blob: Blob, password = ''): Promise<OpenPdf> {
  const byPassword = shared.get(blob) ?? new Map<string, Shared>();
  shared.set(blob, byPassword);
  const one = byPassword.get(password) ?? begun(blob, password, byPassword);
  one.users += 1;
  resting = resting.filter((each) => each !== one);
  return one.opening;
}

function begun(blob: Blob, password: string, byPassword: Map<string, Shared>): Shared {
  const opening = openPdf(blob, password || undefined);
  const close = () => {
    byPassword.delete(password);
    void opening.then((pdf) => pdf.close()).catch(() => undefined);
  };
  const one = { opening, users: 0, failed: false, close };
  opening.catch(() => {
    one.failed = true;
  });
  byPassword.set(password, one);
  return one;
}

export function giveBack(blob: Blob, password = ''): void {
  const one = shared.get(blob)?.get(password);
  if (!one) return;
  one.users -= 1;
  if (one.users > 0) return;
  if (one.failed) one.close();
  else resting.push(one);
  while (resting.length > MOST_RESTING) resting.shift()?.close();
}
