import { createRoot } from 'react-dom/client';
import { siteLang } from '../watch';
import { UserInfo } from './UserInfo';

export function mount(root: HTMLElement): void {
  const qrId = new URLSearchParams(location.search).get('qrId');
  createRoot(root).render(<UserInfo lang={siteLang()} qrId={qrId} />);
}
