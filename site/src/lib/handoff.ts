import { dropFromDisk, getFromDisk, putOnDisk } from './disk';

/** A stored result that goes on into another tool without a new upload. */
export type StoredFile = {
  name: string;
  size: number;
  kind: string;
  key: string;
  pages: number | null;
  /** The task and place it is a result of, for editors that must see it; null for an upload. */
  from: { taskId: string; index: number } | null;
};

export type Handoff = { files?: File[]; stored?: StoredFile[] };

const FLAG = 'handoff';

/** Leaves files for the page at `route`; the flag keeps other tabs from taking them. */
export async function handOn(route: string, handoff: Handoff): Promise<void> {
  const id = `handoff:${route}:${Date.now()}`;
  await putOnDisk(id, handoff);
  sessionStorage.setItem(FLAG, id);
}

/** Takes what was left for this route, once. */
export async function takeHandoff(route: string): Promise<Handoff | null> {
  const id = sessionStorage.getItem(FLAG);
  if (!id?.startsWith(`handoff:${route}:`)) return null;
  sessionStorage.removeItem(FLAG);
  const handoff = await getFromDisk<Handoff>(id);
  await dropFromDisk(id);
  return handoff ?? null;
}
