/** Lets the browser save what is at `url`, under the name that the server gives. */
export function save(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}

/** Saves bytes that are here already under this name. */
export function saveBytes(bytes: Blob, name: string): void {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** The mark tells old Windows editors that this is UTF-8. */
export const saveText = (text: string, name: string): void =>
  saveBytes(new Blob(['\ufeff', text], { type: 'text/plain;charset=utf-8' }), name);
