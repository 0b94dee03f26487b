import { useEffect, useRef } from 'react';
import type { Bench } from './useWorkbench';

const TAKES = new Set(['choosing', 'uploading', 'ready', 'done', 'failed']);

const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;

/** Files that are dropped anywhere on the page, or pasted into it, are chosen. */
export function useIntake(bench: Bench, onDragging: (on: boolean) => void): void {
  const now = useRef(bench);
  now.current = bench;
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const takes = () => TAKES.has(now.current.state.phase);
    const add = (files: File[]) => void now.current.add(files);
    addEventListener('dragenter', (event) => carriesFiles(event) && takes() && onDragging(true), { signal });
    addEventListener('dragleave', (event) => event.relatedTarget === null && onDragging(false), { signal });
    addEventListener(
      'drop',
      (event) => {
        onDragging(false);
        if (carriesFiles(event) && takes() && !insideField(event)) add([...event.dataTransfer!.files]);
      },
      { signal },
    );
    addEventListener('paste', (event) => takes() && add([...(event.clipboardData?.files ?? [])]), { signal });
    return () => stop.abort();
  }, [onDragging]);
}

/** A picture for a watermark is no file to work on. */
const insideField = (event: DragEvent) =>
  event.target instanceof Element && event.target.closest('.fields') !== null;
