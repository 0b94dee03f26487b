import type { Protection } from '../../workbench/contract';
import { type OpenPdf, PdfProblem } from './open';
import { pagePicture } from './render';
import { borrow, giveBack } from './shared';

export type Preview = {
  pages: number | null;
  /** Object URL of the first page; the caller revokes it. */
  thumbnail: string | null;
  problem: PdfProblem['reason'] | null;
};

/** What the list of chosen files shows of a PDF: page count, first page, whether it wants a password. */
export async function previewOf(file: Blob, password?: string): Promise<Preview> {
  try {
    const pdf = await borrow(file, password);
    return { pages: pdf.pages, thumbnail: await firstPage(pdf), problem: null };
  } catch (error) {
    const problem = error instanceof PdfProblem ? error.reason : 'damaged_file';
    return { pages: null, thumbnail: null, problem };
  } finally {
    giveBack(file, password);
  }
}

/** Whether the file opens with this password, as far as its lock goes. */
export async function passwordFits(file: Blob, password: string): Promise<boolean> {
  try {
    await borrow(file, password);
    return true;
  } catch (error) {
    return !(error instanceof PdfProblem && error.reason === 'password_wrong');
  } finally {
    giveBack(file, password);
  }
}

/** How the file is protected; undefined where this browser cannot tell. */
export async function protectionOf(file: Blob, password?: string): Promise<Protection | undefined> {
  try {
    const encrypted = await (await borrow(file, password)).encrypted();
    if (!encrypted) return 'none';
    return password ? 'locked' : 'restricted';
  } catch (error) {
    return error instanceof PdfProblem && error.reason !== 'damaged_file' ? 'locked' : undefined;
  } finally {
    giveBack(file, password);
  }
}

async function firstPage(pdf: OpenPdf): Promise<string | null> {
  const picture = await pagePicture(pdf, 1, { width: 96, height: 128 }, new AbortController().signal).catch(
    () => null,
  );
  const blob = await new Promise<Blob | null>((resolve) =>
    picture ? picture.canvas.toBlob(resolve) : resolve(null),
  );
  return blob && URL.createObjectURL(blob);
}
