import { hydrateRoot } from 'react-dom/client';
import { Pay, type PayProps } from './Pay';

export function mount(root: HTMLElement, props: PayProps): void {
  hydrateRoot(root, <Pay {...props} />);
}
