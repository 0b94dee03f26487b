import type { LucideIcon } from 'lucide-react';

type ToolProps = {
  icon: LucideIcon;
  /** The word beside the icon. */
  word: string;
  /** What it is called where the word alone does not say it. */
  name?: string;
  /** Small windows show the icon alone. */
  slim?: boolean;
  disabled?: boolean;
  pressed?: boolean;
  danger?: boolean;
  testid?: string;
  onPress(): void;
};

/** A button of the board's toolbar: an icon with its word. */
export function Tool({
  icon: Icon,
  word,
  name,
  slim,
  disabled,
  pressed,
  danger,
  testid,
  onPress,
}: ToolProps) {
  return (
    <button
      type="button"
      className="board-tool"
      data-slim={slim || undefined}
      data-danger={danger || undefined}
      data-testid={testid}
      aria-label={name ?? word}
      aria-pressed={pressed}
      title={name ?? word}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon size={18} aria-hidden="true" />
      <span aria-hidden="true">{word}</span>
    </button>
  );
}
