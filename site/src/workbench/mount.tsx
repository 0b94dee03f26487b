import { hydrateRoot } from 'react-dom/client';
import type { WorkbenchProps } from './useWorkbench';
import { Workbench } from './Workbench';

/** Hydrates the workbench and hands it the files that came before it was awake. */
export function mount(root: HTMLElement, props: WorkbenchProps, dropped: File[]): void {
  const input = root.querySelector<HTMLInputElement>('input[type=file]');
  const early = [...dropped, ...(input?.files ?? [])];
  hydrateRoot(root, <Workbench {...props} early={early} />);
}
