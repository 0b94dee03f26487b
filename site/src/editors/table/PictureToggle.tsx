import { PanelLeftClose, PanelLeftOpen } from 'lucide-react';

type PictureToggleProps = {
  shown: boolean;
  onShown(shown: boolean): void;
  words: { hidePicture: string; showPicture: string };
};

/** Shows or hides the picture beside what was read of it. */
export function PictureToggle({ shown, onShown, words }: PictureToggleProps) {
  const Panel = shown ? PanelLeftClose : PanelLeftOpen;
  return (
    <button
      type="button"
      className="btn btn-quiet"
      aria-pressed={shown}
      onClick={() => onShown(!shown)}
      data-testid="toggle-picture"
    >
      <Panel size={18} aria-hidden="true" />
      {shown ? words.hidePicture : words.showPicture}
    </button>
  );
}
