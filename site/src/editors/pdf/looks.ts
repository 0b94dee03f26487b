import type { ChosenFile } from '../../workbench/contract';
import type { OpenPdf } from './open';
import { pageSize } from './render';
import { borrow, giveBack } from './shared';

/** Pages whose shape is looked at; of a longer document the server tells. */
const MOST = 2000;

/** What only a look through all of a document tells. */
export type Look = 'lying' | 'bookmarked';
export type Seen = Pick<ChosenFile, Look>;

const LOOKS: Record<Look, (pdf: OpenPdf) => Promise<Seen>> = {
  lying: async (pdf) => {
    if (pdf.pages > MOST) return {};
    const sizes = await Promise.all(Array.from({ length: pdf.pages }, (_, at) => pageSize(pdf, at + 1)));
    return { lying: sizes.map(({ width, height }) => width > height) };
  },
  bookmarked: async (pdf) => ({ bookmarked: await pdf.bookmarked() }),
};

/** Nothing where this browser cannot tell. */
export async function looked(look: Look, file: Blob, password?: string): Promise<Seen> {
  try {
    return await LOOKS[look](await borrow(file, password));
  } catch {
    return {};
  } finally {
    giveBack(file, password);
  }
}
