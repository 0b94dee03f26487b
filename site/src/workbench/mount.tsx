import { hydrateRoot } from 'react-dom/client';
import type { Early, WorkbenchProps } from './useWorkbench';
import { Workbench } from './Workbench';

/** Hydrates the workbench and hands it the files that came before it was awake. */
export function mount(root: HTMLElement, props: WorkbenchProps, early: Early): void {
  const input = root.querySelector<HTMLInputElement>('input[type=file]');
  early.files.push(...(input?.files ?? []));
  hydrateRoot(root, <Workbench {...props} early={early} />);
}
