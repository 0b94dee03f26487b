import { CloudOff, LockKeyhole, TriangleAlert } from 'lucide-react';
import { type SyntheticEvent, useId, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { passwordFits } from '../pdf/preview';
import type { PdfState } from './useOpened';
import type { BoardWords } from './words';

type Props = {
  file: ChosenFile;
  state: PdfState | undefined;
  words: BoardWords;
  onPassword: ((id: string, password: string) => void) | undefined;
};

/** Where a file's pages would lie: they are coming, they want a password, or why there is nothing to see. */
export function Notice({ file, state, words, onPassword }: Props) {
  if (!file.blob) return <Said icon={<CloudOff size={22} aria-hidden="true" />}>{words.absent}</Said>;
  if (state?.at !== 'failed') {
    return <Said icon={<span className="spinner" aria-hidden="true" />}>{words.opening}</Said>;
  }
  if (state.reason === 'damaged_file') {
    return <Said icon={<TriangleAlert size={22} aria-hidden="true" />}>{words.failed}</Said>;
  }
  if (onPassword) return <Locked file={file} words={words} onPassword={onPassword} />;
  return <Said icon={<LockKeyhole size={22} aria-hidden="true" />}>{words.locked}</Said>;
}

function Said({ icon, children }: { icon: React.ReactNode; children: string }) {
  return (
    <p className="board-notice" role="status">
      {icon}
      {children}
    </p>
  );
}

type LockedProps = { file: ChosenFile; words: BoardWords; onPassword(id: string, password: string): void };

/** The password is tried here, before anything is sent. */
function Locked({ file, words, onPassword }: LockedProps) {
  const id = useId();
  const [password, setPassword] = useState('');
  const [wrong, setWrong] = useState(false);
  const open = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (!file.blob || !password) return;
    if (await passwordFits(file.blob, password)) onPassword(file.id, password);
    else setWrong(true);
  };
  return (
    <form className="board-notice board-locked" onSubmit={open} data-testid="board-locked" data-wrong={wrong}>
      <LockKeyhole size={22} aria-hidden="true" />
      <label htmlFor={id} role={wrong ? 'alert' : undefined}>
        {wrong ? words.wrongPassword : words.locked}
      </label>
      <span className="board-locked-row">
        <input
          id={id}
          className="field-input"
          type="password"
          autoComplete="off"
          placeholder={words.password}
          aria-label={words.passwordOf(file.name)}
          aria-invalid={wrong || undefined}
          value={password}
          onChange={(event) => {
            setPassword(event.target.value);
            setWrong(false);
          }}
        />
        <button type="submit" className="btn btn-primary" disabled={!password}>
          {words.unlock}
        </button>
      </span>
    </form>
  );
}
