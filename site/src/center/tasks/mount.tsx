import { hydrateRoot } from 'react-dom/client';
import { TaskCentre, type TaskCentreProps } from './TaskCentre';

export function mount(root: HTMLElement, props: TaskCentreProps): void {
  hydrateRoot(root, <TaskCentre {...props} />);
}
