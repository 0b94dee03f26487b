import type { ChangeEvent } from 'react';
import type { Bench } from '../useWorkbench';
import type { IslandWords } from '../words';

export type AreaProps = {
  bench: Bench;
  t: IslandWords;
  dragging: boolean;
};

/** `next`: the focus comes here when there is nothing else to do. */
export function FileInput({ bench, next = false }: { bench: Bench; next?: boolean }) {
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
      data-next={next ? 'choose' : undefined}
      data-testid="file-input"
    />
  );
}
