import { useEffect, useState } from 'react';
import type { ChosenFile } from '../../workbench/contract';
import { Desk } from './desk';
import type { ScanOptions } from './presets';

export type Scanned = {
  /** The last scan that came, be it of other options; null before the first one. */
  picture: { page: number; url: string; bytes: number } | null;
  phase: 'working' | 'ready' | 'failed';
};

/** The scan of a page as it will be; its picture lives until the next one is there. */
export function useScan(file: ChosenFile, page: number, options: ScanOptions): Scanned {
  const desk = useDesk(file);
  const [held, setHeld] = useState<Scanned>({ picture: null, phase: 'working' });
  const wanted = JSON.stringify(options);
  useEffect(() => {
    if (!desk) return;
    const stop = new AbortController();
    setHeld(({ picture }) => ({ picture, phase: 'working' }));
    desk.scan(page, JSON.parse(wanted) as ScanOptions, stop.signal).then(
      (blob) => {
        if (stop.signal.aborted) return;
        setHeld({ picture: { page, url: URL.createObjectURL(blob), bytes: blob.size }, phase: 'ready' });
      },
      () => !stop.signal.aborted && setHeld({ picture: null, phase: 'failed' }),
    );
    return () => stop.abort();
  }, [desk, page, wanted]);
  const url = held.picture?.url;
  useEffect(() => () => void (url && URL.revokeObjectURL(url)), [url]);
  return held;
}

function useDesk({ blob, password }: ChosenFile): Desk | null {
  const [desk, setDesk] = useState<Desk | null>(null);
  useEffect(() => {
    if (!blob) return;
    const made = new Desk(blob, password);
    setDesk(made);
    return () => made.close();
  }, [blob, password]);
  return desk;
}
