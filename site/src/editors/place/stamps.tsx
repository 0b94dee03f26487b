import { parsePages } from '../../ranges';
import type { ChosenFile, EditorProps, Json, Lang } from '../../workbench/contract';
import { PdfStage } from '../PdfStage';
import { wordsOf } from '../words';
import { Fan } from './Fan';
import { planOf, type StampOptions } from './stampPlan';
import { stampMark } from './stampLook';
import { Surface } from './Surface';
import { useArt } from './useArt';
import { type PlaceWords, placeWordsOf } from './words';
import { groupsOf } from './seam';
import '../../fields/fields.css';
import '../editors.css';

/** The pages with the stamps on them and the seal's slices at their edges, just as the server will put them. */
export default function Stamps({ files, options, onChange, lang }: EditorProps) {
  const words = placeWordsOf(lang);
  const chosen = options as unknown as StampOptions;
  const { stamp } = chosen;
  const art = useArt(stamp.kind === 'seal' ? stamp.file : '', stamp.kind === 'seal' && stamp.clear);
  return (
    <PdfStage files={files} label={words.stampsLabel} words={wordsOf(lang)}>
      {({ pdf, file }) => (
        <Surface
          pdf={pdf}
          options={chosen}
          onChange={(next) => onChange(next as unknown as Json)}
          plan={planOf({ art, name: file.name, lang })}
          lang={lang}
        >
          {chosen.on !== 'pages' && (
            <Fanned options={chosen} pages={pdf.pages} file={file} art={art} lang={lang} words={words} />
          )}
        </Surface>
      )}
    </PdfStage>
  );
}

type FannedProps = {
  options: StampOptions;
  pages: number;
  file: ChosenFile;
  art: ReturnType<typeof useArt>;
  lang: Lang;
  words: PlaceWords;
};

function Fanned({ options, pages, file, art, lang, words }: FannedProps) {
  const mark = stampMark(options.stamp, { art, name: file.name, lang });
  const found = parsePages(options.seam.pages, pages);
  const chosen = found.ok ? [...new Set(found.pages)].toSorted((a, b) => a - b) : [];
  if (!mark || chosen.length < 2) return null;
  const groups = groupsOf(chosen, options.seam.most);
  return (
    <Fan
      mark={mark}
      pages={groups[0]?.length ?? 0}
      seam={options.seam}
      opacity={options.opacity}
      caption={[words.fan(groups[0]?.length ?? 0), groups.length > 1 ? words.fanOf(groups.length) : '']
        .filter(Boolean)
        .join(' · ')}
    />
  );
}
