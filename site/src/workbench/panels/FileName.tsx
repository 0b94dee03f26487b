const TAIL = 8;

/** A name on one line: what does not fit is left out of its middle, as long names differ at their ends. */
export function FileName({ name, className = '' }: { name: string; className?: string }) {
  const letters = [...name];
  const head = letters.length > 2 * TAIL ? letters.slice(0, -TAIL).join('') : name;
  return (
    <span className={`filename flex min-w-0 ${className}`} title={name}>
      <span className={`truncate whitespace-pre ${head === name ? '' : 'min-w-[2.2em]'}`}>{head}</span>
      {head !== name && <span className="shrink-0 whitespace-pre">{letters.slice(-TAIL).join('')}</span>}
    </span>
  );
}
