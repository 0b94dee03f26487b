import { useId } from 'react';
import type { ChosenFile } from '../workbench/contract';
import type { Words } from './words';

type Props = { files: ChosenFile[]; chosen: number; onChoose(index: number): void; words: Words };

export function FileSwitch({ files, chosen, onChoose, words }: Props) {
  const id = useId();
  if (files.length < 2) return null;
  return (
    <div className="editor-files">
      <label htmlFor={id}>{words.file}</label>
      <select
        id={id}
        className="field-input field-select filename"
        value={chosen}
        onChange={(event) => onChoose(Number(event.target.value))}
      >
        {files.map((file, index) => (
          <option key={file.id} value={index}>
            {index + 1}. {file.name}
          </option>
        ))}
      </select>
    </div>
  );
}
