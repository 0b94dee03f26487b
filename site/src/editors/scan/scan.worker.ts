import type { Order } from './desk';
import { type Sheet, scanned } from './scanner';

/** Quality goes down in these steps, not below the last, while a page has too many bytes: as draw/scans.py does. */
const [STEP, COARSEST] = [5, 35];

const scope = self as unknown as {
  onmessage: (event: MessageEvent<Order>) => void;
  postMessage(answer: Blob | null): void;
};

scope.onmessage = ({ data }) => {
  coded(data).then(
    (picture) => scope.postMessage(picture),
    () => scope.postMessage(null),
  );
};

async function coded({ pixels, width, height, look, page, dpi, quality, most }: Order): Promise<Blob> {
  const made = scanned(parted(pixels, width, height), look, page, dpi);
  const canvas = new OffscreenCanvas(width, height);
  canvas.getContext('2d')?.putImageData(joined(made), 0, 0);
  for (let level = quality; ; level -= STEP) {
    const picture = await canvas.convertToBlob({ type: 'image/jpeg', quality: level / 100 });
    if (most === null || level - STEP < COARSEST || picture.size <= most) return picture;
  }
}

function parted(pixels: Uint8ClampedArray, width: number, height: number): Sheet {
  const planes = [0, 1, 2].map((band) => {
    const plane = new Uint8Array(width * height);
    for (let at = 0; at < plane.length; at += 1) plane[at] = pixels[4 * at + band]!;
    return plane;
  });
  return { width, height, planes };
}

function joined({ width, height, planes }: Sheet): ImageData {
  const image = new ImageData(width, height);
  const [red, green, blue] = [planes[0]!, planes[1] ?? planes[0]!, planes[2] ?? planes[0]!];
  for (let at = 0; at < red.length; at += 1) {
    image.data[4 * at] = red[at]!;
    image.data[4 * at + 1] = green[at]!;
    image.data[4 * at + 2] = blue[at]!;
    image.data[4 * at + 3] = 255;
  }
  return image;
}
