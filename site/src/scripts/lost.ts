/** Shows the bar that says that a part of the page did not come, with its button to try again. */
export function tellLost(): void {
  for (const bar of document.querySelectorAll<HTMLElement>('[data-lost]')) bar.hidden = false;
}

/**
 * The chunk that brings `root` to life. Null when it did not come though the page was reloaded for it: then the
 * dead root gives its place to the bar. While the page is being reloaded for it, the answer never comes.
 */
export async function chunkFor<T>(root: HTMLElement, load: () => Promise<T>): Promise<T | null> {
  try {
    const chunk = await load();
    if (!chunk) return await new Promise<never>(() => {});
    root.hidden = false;
    return chunk;
  } catch {
    root.hidden = true;
    tellLost();
    return null;
  }
}
