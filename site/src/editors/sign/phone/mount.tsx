import { createRoot } from 'react-dom/client';
import { siteLang } from '../../../account/watch';
import { SignPad } from './SignPad';

export function mount(root: HTMLElement): void {
  const padId = new URLSearchParams(location.search).get('padId') ?? '';
  createRoot(root).render(<SignPad padId={padId} lang={siteLang()} />);
}
