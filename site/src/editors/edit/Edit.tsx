import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { ChosenFile, EditorProps, Json } from '../../workbench/contract';
import { PdfStage } from '../PdfStage';
import type { OpenPdf } from '../pdf/open';
import { modeOf } from '../place/ToolBar';
import { type Holding, readable, Surface } from '../place/Surface';
import { wordsOf } from '../words';
import type { EditOptions } from './acts';
import { Bar } from './Bar';
import { Finder } from './Finder';
import { Over } from './Over';
import { surfacePlan } from './surfacePlan';
import { pasted, taken } from './clipboard';
import { resourced, touchedPages } from './plan';
import { useDesk } from './useDesk';
import { editWordsOf } from './words';
import '../../fields/fields.css';
import '../editors.css';
import './edit.css';

/** The pages of a document, and everything that can be done on them. */
export default function Edit(props: EditorProps) {
  const { files, lang, onChange } = props;
  const options = props.options as unknown as EditOptions;
  const change = (next: EditOptions) => onChange(next as unknown as Json);
  useSources(files, options, change);
  return (
    <PdfStage files={files} label={editWordsOf(lang).label} words={wordsOf(lang)}>
      {({ pdf, index }) => <OnDesk {...props} pdf={pdf} source={index} options={options} change={change} />}
    </PdfStage>
  );
}

/** Acts go with their files, when these change places or go. */
function useSources(files: ChosenFile[], options: EditOptions, change: (options: EditOptions) => void) {
  const ids = files.map(({ id }) => id).join('\n');
  const before = useRef(ids);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other files are news
  useEffect(() => {
    const next = resourced(options, before.current.split('\n'), ids.split('\n'));
    before.current = ids;
    if (next !== options) change(next);
  }, [ids]);
}

type OnDeskProps = Omit<EditorProps, 'options' | 'onChange'> & {
  pdf: OpenPdf;
  source: number;
  options: EditOptions;
  change(options: EditOptions): void;
};

function OnDesk({ pdf, source, options, change, lang, upload }: OnDeskProps) {
  const desk = useDesk({ pdf, source, options, lang, upload });
  const [clip] = useState(() => ({ act: null }));
  const press = (event: KeyboardEvent, hold: Holding<EditOptions>) => {
    const mode = modeOf(event, desk.modes);
    if (mode) {
      event.preventDefault();
      return desk.toMode(mode);
    }
    if (event.key === 'Escape') {
      hold.choose(null);
      return desk.toMode('select');
    }
    taken(event, desk, hold, clip);
    pasted(event, desk, hold, clip);
  };
  return (
    <Surface
      pdf={pdf}
      options={options}
      onChange={change}
      plan={{ ...surfacePlan(desk), over: (shown) => <Over desk={desk} shown={shown} /> }}
      lang={lang}
      fit={readable}
      touched={touchedPages(options, source, desk.search.known)}
      bar={(hold) => <Bar desk={desk} hold={hold} />}
      panel={(hold) =>
        desk.mode === 'find' && (
          <Finder
            desk={desk.search}
            pages={pdf.pages}
            options={options}
            source={source}
            style={desk.styles.redact}
            act={hold.act}
            go={hold.go}
            onClose={() => desk.toMode('select')}
            words={desk.words}
          />
        )
      }
      onKey={press}
    />
  );
}
