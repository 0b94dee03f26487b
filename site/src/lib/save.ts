/** Lets the browser save what is at `url`, under the name that the server gives. */
export function save(url: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = '';
  link.click();
}
