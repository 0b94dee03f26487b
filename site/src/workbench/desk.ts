import type { Client } from '../api/client';
import { freshId } from './choose';
import { forgetBlob, keepBlob } from './memory';
import type { Action, Row, UploadError, UploadTrouble } from './state';
import type { Item, SavedUpload, Uploads } from './uploads';
import { loadUploads } from './later';

type Waiting = { resolve(key: string): void; reject(error: Error): void };

const itemsOf = (rows: Row[]): Item[] =>
  rows.flatMap(({ id, name, blob }) => (blob ? [{ id, name, blob }] : []));

/** Rows that share a grant go on together; those without one ask for a new one. */
function byGrant(rows: Row[], saved: Map<string, SavedUpload>): Row[][] {
  const lots = new Map<string, Row[]>();
  for (const row of rows) {
    const prefix = saved.get(row.id)?.grant.prefix ?? '';
    lots.set(prefix, [...(lots.get(prefix) ?? []), row]);
  }
  return [...lots.values()];
}

/** Where the workbench hands over files: loads the uploader with the first one, and tells the reducer. */
export class Desk {
  private loading: Promise<Uploads> | undefined;
  private engine: Uploads | undefined;
  private extras = new Map<string, Waiting>();

  constructor(
    readonly client: Client,
    readonly dispatch: (action: Action) => void,
  ) {}

  private load(): Promise<Uploads> {
    this.loading ??= loadUploads().then(({ Uploads }) => {
      this.engine = new Uploads(this.client, {
        sent: (id, sent) => this.tell({ do: 'sent', id, sent }),
        paused: (id, away) => this.tell({ do: 'paused', id, away }),
        stored: (id, key) => this.stored(id, key),
        failed: (id, trouble) => this.failed(id, trouble),
      });
      return this.engine;
    });
    // Lost on the way: the next file, or the next try, asks for it again.
    this.loading.catch(() => {
      this.loading = undefined;
    });
    return this.loading;
  }

  /** The uploader's own failures tell which rows they are about; that it did not come is told here. */
  private async sendBy(ids: string[], send: (uploads: Uploads) => Promise<void>): Promise<void> {
    const uploads = await this.load().catch(() => null);
    if (uploads) return send(uploads).catch(() => undefined);
    for (const id of ids) this.failed(id, { error: 1, away: navigator.onLine });
  }

  private tell(action: Action & { id: string }): void {
    if (!this.extras.has(action.id)) this.dispatch(action);
  }

  private stored(id: string, key: string): void {
    this.tell({ do: 'stored', id, key });
    this.extras.get(id)?.resolve(key);
    this.extras.delete(id);
  }

  private failed(id: string, trouble: UploadTrouble): void {
    this.tell({ do: 'uploadFailed', id, ...trouble });
    this.extras.get(id)?.reject(new Error(trouble.msg || `upload error ${trouble.error}`));
    this.extras.delete(id);
  }

  async send(rows: Row[]): Promise<void> {
    for (const row of rows) void keepBlob(row);
    const items = itemsOf(rows);
    const ids = items.map(({ id }) => id);
    await this.sendBy(ids, (uploads) => uploads.add(items));
  }

  /** After a reload: half-sent files go on in the grant they began with. */
  async goOn(rows: Row[], saved: Map<string, SavedUpload>): Promise<void> {
    this.halves = saved;
    const waiting = rows.filter(({ upload, blob }) => upload.at === 'waiting' && blob);
    if (waiting.length === 0) return;
    for (const lot of byGrant(waiting, saved)) {
      const ids = lot.map(({ id }) => id);
      const known = new Map(ids.flatMap((id) => (saved.has(id) ? [[id, saved.get(id)!] as const] : [])));
      await this.sendBy(ids, (uploads) => uploads.add(itemsOf(lot), known));
    }
  }

  private halves = new Map<string, SavedUpload>();

  /** A file chosen again after a reload goes on from the parts that are in the store. */
  async resume(row: Row, blob: File): Promise<void> {
    this.dispatch({ do: 'retried', id: row.id, blob });
    const half = this.halves.get(row.id);
    const saved = new Map(half ? [[row.id, half] as const] : []);
    await this.sendBy([row.id], (uploads) => uploads.add([{ id: row.id, name: row.name, blob }], saved));
  }

  async retry(row: Row, error: UploadError): Promise<void> {
    const { id, name, blob } = row;
    if (!blob) return;
    this.dispatch({ do: 'retried', id });
    await this.sendBy([id], (uploads) => uploads.retry({ id, name, blob }, error));
  }

  cancel(id: string): void {
    this.engine?.cancel(id);
    void forgetBlob(id);
  }

  /** A further file of an option (a stamp, a picture): answers its storage key. */
  async extra(file: File): Promise<string> {
    const uploads = await this.load();
    const id = freshId();
    return new Promise((resolve, reject) => {
      this.extras.set(id, { resolve, reject });
      uploads.add([{ id, name: file.name, blob: file }]).catch(reject);
    });
  }

  saved(rows: Row[]): [string, SavedUpload][] {
    return rows.flatMap(({ id }) => {
      const half = this.engine?.saved(id) ?? this.halves.get(id);
      return half ? [[id, half] as [string, SavedUpload]] : [];
    });
  }
}
