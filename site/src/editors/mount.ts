/** How a picture lies on its page: the rule of cluster/engines/pages/mount.py, for the small pictures of pages. */
export type Size = readonly [width: number, height: number];

export type MountOptions = {
  paper: string;
  orientation: string;
  fit: string;
  /** Millimetres. */
  margin: number;
};

/** Millimetres, standing upright. */
const PAPERS: Record<string, Size> = {
  a3: [297, 420],
  a4: [210, 297],
  a5: [148, 210],
  letter: [215.9, 279.4],
};
const MM_A_PIXEL = 25.4 / 96;

/** The page and the picture on its middle, in millimetres; `picture` is seen by people, in pixels. */
export function mounted(picture: Size, options: MountOptions): { page: Size; picture: Size; cut: number } {
  const { margin } = options;
  const paper = PAPERS[options.paper];
  if (!paper) {
    const size = atMostA4(picture);
    return { page: [size[0] + 2 * margin, size[1] + 2 * margin], picture: size, cut: 0 };
  }
  const lies = options.orientation === 'auto' ? picture[0] > picture[1] : options.orientation === 'landscape';
  const page: Size = lies ? [paper[1], paper[0]] : paper;
  const across = (page[0] - 2 * margin) / picture[0];
  const up = (page[1] - 2 * margin) / picture[1];
  const fills = options.fit === 'fill';
  const scale = fills ? Math.max(across, up) : Math.min(across, up);
  return { page, picture: [picture[0] * scale, picture[1] * scale], cut: fills ? margin : 0 };
}

function atMostA4([width, height]: Size): Size {
  const [across, up] = [width * MM_A_PIXEL, height * MM_A_PIXEL];
  const most = across <= up ? [210, 297] : [297, 210];
  const fit = Math.min(1, (most[0] as number) / across, (most[1] as number) / up);
  return [across * fit, up * fit];
}
