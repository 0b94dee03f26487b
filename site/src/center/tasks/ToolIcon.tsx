/** A tool's icon from the page's own sprite (pages/tasks.astro): the island carries no icon set. */
export function ToolIcon({ name, size = 22 }: { name: string; size?: number }) {
  return (
    <svg width={size} height={size} aria-hidden="true" className="shrink-0">
      <use href={`#tool-${name}`} />
    </svg>
  );
}
