import type { ChangeEvent, DragEvent } from 'react';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';

export type AreaProps = {
  bench: Bench;
  t: IslandWords;
  dragging: boolean;
  onDragging(on: boolean): void;
};

/** What makes an element take dropped files. */
export function dropTarget({ bench, onDragging }: Pick<AreaProps, 'bench' | 'onDragging'>) {
  const leaves = (event: DragEvent) => !event.currentTarget.contains(event.relatedTarget as Node | null);
  return {
    onDragEnter: () => onDragging(true),
    onDragOver: (event: DragEvent) => event.preventDefault(),
    onDragLeave: (event: DragEvent) => leaves(event) && onDragging(false),
    onDrop: (event: DragEvent) => {
      event.preventDefault();
      onDragging(false);
      void bench.add([...event.dataTransfer.files]);
    },
  };
}

export function FileInput({ bench }: { bench: Bench }) {
  const take = (event: ChangeEvent<HTMLInputElement>) => {
    void bench.add([...(event.target.files ?? [])]);
    event.target.value = '';
  };
  return (
    <input
      type="file"
      className="sr-only"
      multiple={bench.props.tool.multiple}
      accept={bench.props.accept}
      onChange={take}
      data-testid="file-input"
    />
  );
}
