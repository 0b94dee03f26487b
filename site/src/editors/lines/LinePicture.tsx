import { Drawn, Here } from '../table/Picture';
import type { Original } from '../table/upright';
import { isDoubtful, keyOf, lineAt, type Place, placesOf } from './model';
import type { LineDesk } from './useLines';
import type { LineWords } from './words';

type LinePictureProps = { seen: Original; desk: LineDesk; page: number; words: LineWords };

/** The page that was read, with its doubtful lines and the chosen one; a press chooses the line there. */
export function LinePicture({ seen, desk, page, words }: LinePictureProps) {
  if (seen === 'opening') return <div className="skeleton table-picture" />;
  if (typeof seen === 'string')
    return <p className="editor-empty">{seen === 'absent' ? words.absent : words.noPicture}</p>;
  const { lines, at, choose } = desk;
  const own = placesOf(lines).filter((place) => place.page === page);
  const shape = (place: Place) => lineAt(lines, place)!.box.join(' ');
  return (
    <section
      className="table-picture"
      data-testid="line-picture"
      aria-label={words.page(page + 1)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
      tabIndex={0}
    >
      <div className="table-page">
        <Drawn seen={seen} label={words.page(page + 1)} />
        <svg viewBox={`0 0 ${seen.sheet.width} ${seen.sheet.height}`} aria-hidden="true">
          {own.map((place) => (
            // biome-ignore lint/a11y/noStaticElementInteractions: a shorter way to a line that the list's keys reach
            <polygon
              key={keyOf(place)}
              className={isDoubtful(lineAt(lines, place)!) ? 'table-doubt' : 'line-there'}
              points={shape(place)}
              onClick={() => choose(place)}
            />
          ))}
          {at?.page === page && <Here points={shape(at)} key={keyOf(at)} />}
        </svg>
      </div>
    </section>
  );
}
