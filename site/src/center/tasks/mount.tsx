import { hydrateRoot } from 'react-dom/client';
import { TaskCentre } from './TaskCentre';
import type { TaskCentreProps } from './useCentre';

export function mount(root: HTMLElement, props: TaskCentreProps): void {
  hydrateRoot(root, <TaskCentre {...props} />);
}
