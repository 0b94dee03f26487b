/** So much of a file is searched: cameras and telephones write their facts first. */
const SEARCHED = 1 << 20;
const EXIF = [0x45, 0x78, 0x69, 0x66, 0, 0];
const WRITTEN = 0x0132;
const FACTS = 0x8769;
const TAKEN = 0x9003;
/** `2024:05:01 12:00:00` */
const LENGTH = 19;

/** When a picture says that it was taken, as its EXIF writes it; empty where it does not. */
export async function takenAt(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.slice(0, SEARCHED).arrayBuffer());
  const start = exifStart(bytes);
  if (start === null) return '';
  try {
    return dateIn(new DataView(bytes.buffer, start));
  } catch {
    return ''; // it points beyond what was read
  }
}

function exifStart(bytes: Uint8Array): number | null {
  for (let at = bytes.indexOf(EXIF[0] as number); at >= 0; at = bytes.indexOf(EXIF[0] as number, at + 1))
    if (EXIF.every((byte, index) => bytes[at + index] === byte)) return at + EXIF.length;
  return null;
}

function dateIn(view: DataView): string {
  const little = view.getUint16(0) === 0x4949;
  const first = view.getUint32(4, little);
  const facts = entryOf(view, first, FACTS, little);
  const at = (facts && entryOf(view, facts, TAKEN, little)) || entryOf(view, first, WRITTEN, little);
  return at ? textAt(view, at) : '';
}

/** The value of a tag, or where it stands; null where it is not there. */
function entryOf(view: DataView, directory: number, tag: number, little: boolean): number | null {
  const count = view.getUint16(directory, little);
  for (let entry = directory + 2; entry < directory + 2 + 12 * count; entry += 12)
    if (view.getUint16(entry, little) === tag) return view.getUint32(entry + 8, little);
  return null;
}

function textAt(view: DataView, at: number): string {
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, LENGTH);
  const text = String.fromCharCode(...bytes);
  return /^\d{4}:\d\d:\d\d \d\d:\d\d:\d\d$/.test(text) ? text : '';
}
