import { Image as Picture, ImageOff } from 'lucide-react';

type PictureToggleProps = {
  shown: boolean;
  onShown(shown: boolean): void;
  words: { hidePicture: string; showPicture: string };
};

/** Shows or hides the picture beside what was read of it. */
export function PictureToggle({ shown, onShown, words }: PictureToggleProps) {
  const Icon = shown ? ImageOff : Picture;
  const word = shown ? words.hidePicture : words.showPicture;
  return (
    <button
      type="button"
      className="btn btn-quiet picture-toggle"
      aria-label={word}
      title={word}
      onClick={() => onShown(!shown)}
      data-testid="toggle-picture"
    >
      <Icon size={18} aria-hidden="true" />
      <span aria-hidden="true">{word}</span>
    </button>
  );
}
