import type { LucideIcon } from 'lucide-react';

type ToolProps = {
  icon: LucideIcon;
  word: string;
  /** The icon alone. */
  slim?: boolean;
  disabled?: boolean;
  pressed?: boolean;
  danger?: boolean;
  testid?: string;
  onPress(): void;
};

/** A button of the board's toolbar: an icon with its word. */
export function Tool({ icon: Icon, word, slim, disabled, pressed, danger, testid, onPress }: ToolProps) {
  return (
    <button
      type="button"
      className="board-tool"
      data-danger={danger || undefined}
      data-testid={testid}
      aria-label={word}
      aria-pressed={pressed}
      title={word}
      disabled={disabled}
      onClick={onPress}
    >
      <Icon size={18} aria-hidden="true" />
      {!slim && <span aria-hidden="true">{word}</span>}
    </button>
  );
}
