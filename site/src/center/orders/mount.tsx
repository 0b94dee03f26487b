import { hydrateRoot } from 'react-dom/client';
import { Orders, type OrdersProps } from './Orders';

export function mount(root: HTMLElement, props: OrdersProps): void {
  hydrateRoot(root, <Orders {...props} />);
}
