import { dropFromDisk, getFromDisk, putOnDisk } from '../lib/disk';
import type { FieldSchema, Json } from './contract';
import { hasWork, type Row, type State } from './state';
import type { SavedUpload } from './uploads';

/** Bigger files are not copied into the browser's own store; they are chosen again after a reload. */
const KEEP_BLOBS_TO = 512 << 20;

type Saved = { state: State; uploads: [string, SavedUpload][] };

const keyOf = (route: string) => `work:${route}`;
const blobKey = (id: string) => `blob:${id}`;

/** Passwords and object addresses do not outlive the page. */
function stripped(state: State, schema: FieldSchema | undefined): State {
  if (!hasWork(state)) return state.phase === 'unreachable' ? stripped(state.back, schema) : state;
  const rows = state.rows.map(({ password: _, thumbnail: __, ...row }) => ({ ...row, blob: null }));
  return { ...state, rows, options: withoutPasswords(schema, state.options) } as State;
}

/** Before the schema has come there is no form into which anybody could have typed one. */
export function withoutPasswords(schema: FieldSchema | undefined, options: Json): Json {
  if (!schema || !options || typeof options !== 'object' || Array.isArray(options)) return options;
  const secret = (name: string) => schema.properties?.[name]?.ui?.widget === 'password';
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, secret(name) ? '' : value]),
  );
}

export function remember(
  route: string,
  state: State,
  uploads: [string, SavedUpload][],
  schema: FieldSchema | undefined,
): void {
  const saved: Saved = { state: stripped(state, schema), uploads };
  if (saved.state.phase === 'choosing') sessionStorage.removeItem(keyOf(route));
  else sessionStorage.setItem(keyOf(route), JSON.stringify(saved));
}

export async function keepBlob(row: Row): Promise<void> {
  if (row.blob && row.size <= KEEP_BLOBS_TO)
    await putOnDisk(blobKey(row.id), row.blob).catch(() => undefined);
}

export const forgetBlob = (id: string) => dropFromDisk(blobKey(id)).catch(() => undefined);

async function withBlob(row: Row): Promise<Row> {
  const blob = (await getFromDisk<File>(blobKey(row.id)).catch(() => undefined)) ?? null;
  if (row.upload.at === 'stored') return { ...row, blob };
  return { ...row, blob, upload: blob ? { at: 'waiting' } : { at: 'absent' } };
}

/** What this tab was doing on this page before a reload. */
export async function recall(route: string): Promise<Saved | null> {
  const text = sessionStorage.getItem(keyOf(route));
  if (!text) return null;
  const saved = JSON.parse(text) as Saved;
  if (!hasWork(saved.state)) return null;
  const rows = await Promise.all(saved.state.rows.map(withBlob));
  return { state: { ...saved.state, rows } as State, uploads: saved.uploads };
}
