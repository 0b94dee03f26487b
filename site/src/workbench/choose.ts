import type { Task, UserRights } from '../api/types';
import type { Accepted, Rights } from '../lib/contract';
import type { StoredFile } from '../lib/handoff';
import { extensionOf, headOf, kindFor } from '../lib/kinds';
import type { Refusal, Row } from './state';

export type Limits = { documents: number; bytes: number };

export const limitsOf = (rights: UserRights | null, visitor: Rights): Limits =>
  rights
    ? { documents: rights.maxDocuments, bytes: rights.maxFileSize }
    : { documents: visitor.documents, bytes: visitor.bytes };

/** crypto.randomUUID is kept from plain-http pages. */
export function freshId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

function rowOf(file: File, kind: string): Row {
  return {
    id: freshId(),
    name: file.name,
    size: file.size,
    kind,
    blob: file,
    key: null,
    pages: null,
    upload: { at: 'waiting' },
    locked: false,
    problem: null,
  };
}

export function storedRow({ name, size, kind, key, pages }: StoredFile): Row {
  const base = { id: freshId(), name, size, kind, blob: null, key, pages };
  return { ...base, upload: { at: 'stored' }, locked: false, problem: null };
}

/** The inputs of a task that was begun elsewhere, as rows whose bytes are in the store. */
export const rowsOfTask = ({ inputs }: Task, accepts: Accepted[]): Row[] =>
  inputs.map(({ name, size, key }) => {
    const named = accepts.find(({ extensions }) => extensions.includes(extensionOf(name)));
    return storedRow({ name, size, key, kind: named?.kind ?? '', pages: null, from: null });
  });

async function judge(file: File, accepts: Accepted[], limits: Limits): Promise<Row | Refusal> {
  const { name } = file;
  if (file.size === 0) return { name, reason: 'empty_file' };
  const kind = kindFor(name, await headOf(file), accepts);
  if (!kind) return { name, reason: 'not_supported_type' };
  if (file.size > limits.bytes) return { name, reason: 'too_large', limit: limits.bytes };
  return rowOf(file, kind);
}

const isRow = (verdict: Row | Refusal): verdict is Row => 'id' in verdict;

export type Choice = { rows: Row[]; refusals: Refusal[] };

/**
 * Sorts chosen files into rows and refusals. `room` is how many more documents may come: results
 * count, so a tool that makes one result of many files has no such bound.
 */
export async function choose(
  files: File[],
  accepts: Accepted[],
  limits: Limits,
  room: number,
): Promise<Choice> {
  const verdicts = await Promise.all(files.map((file) => judge(file, accepts, limits)));
  const good = verdicts.filter(isRow);
  const refusals = verdicts.filter((verdict) => !isRow(verdict)) as Refusal[];
  const over = good.slice(Math.max(0, room));
  const late = over.map(({ name }): Refusal => ({ name, reason: 'too_many_files', limit: limits.documents }));
  return { rows: good.slice(0, Math.max(0, room)), refusals: [...refusals, ...late] };
}
