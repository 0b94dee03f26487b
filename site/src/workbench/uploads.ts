import AwsS3 from '@uppy/aws-s3';
import Uppy, { type UppyFile } from '@uppy/core';
import type { Client } from '../api/client';
import { Problem } from '../api/problem';
import type { Grant } from '../api/types';
import type { UploadError, UploadTrouble } from './state';

export type Item = { id: string; name: string; blob: File };

export type UploadEvents = {
  sent(id: string, bytes: number): void;
  /** `away`: the network is there, the service is not. */
  paused(id: string, away: boolean): void;
  stored(id: string, key: string): void;
  failed(id: string, trouble: UploadTrouble): void;
};

/** What a reload needs to go on: the grant and, per file, its place in the store. */
export type SavedUpload = { grant: Grant; key: string; uploadId: string };

type Meta = { row: string; [name: string]: string };
type Stored = { key: string; [name: string]: unknown };
type File_ = UppyFile<Meta, Stored>;

const MULTIPART_FROM = 8 << 20;
const PART = 8 << 20;
const MAX_PARTS = 9_000;
const TRIES = 4;

const NETWORK = /network|S3NetworkError|unreachable|ProgressTimeout|Failed to fetch|Load failed/i;

type Failure = { name?: string; message?: string; status?: number };

/** An upgrade, as proxies tell it; 507 is a full store, which no second try mends. */
const isAway = (status = 0) => status >= 500 && status <= 504;

/** Whose fault it is: the visitor's network (1), the service that is away (1), or this upload (2). */
export function troubleOf(error: Failure): UploadTrouble {
  if (error instanceof Problem) {
    const { code, msg } = error.data;
    return error.unreachable ? { error: 1, away: code > 0 || navigator.onLine } : { error: 2, msg };
  }
  if (isAway(error.status)) return { error: 1, away: true };
  return NETWORK.test(`${error.name} ${error.message}`) ? { error: 1, away: navigator.onLine } : { error: 2 };
}

const partSize = ({ size }: { size: number }) => Math.max(PART, Math.ceil(size / MAX_PARTS));

/** Files that share one grant. Uppy does the sending; this follows it and resumes after a lost network. */
class Batch {
  readonly uppy = new Uppy<Meta, Stored>({ autoProceed: false, allowMultipleUploadBatches: true });
  private tries = new Map<string, number>();
  /** Rows that go on with what an earlier page sent. */
  private resumed = new Set<string>();
  private timers = new Set<ReturnType<typeof setTimeout>>();

  constructor(
    readonly client: Client,
    public grant: Grant,
    readonly events: UploadEvents,
    readonly size: { files: number; bytes: number },
  ) {
    this.uppy.use(AwsS3, {
      s3Endpoint: this.endpoint,
      region: this.grant.region,
      getCredentials: this.credentials(),
      shouldUseMultipart: (file) => (file.size ?? 0) > MULTIPART_FROM,
      getChunkSize: partSize,
      generateObjectKey: (file) => this.keyOf(file as unknown as File_),
      allowedMetaFields: false,
      limit: 3,
    });
    this.listen();
    addEventListener('online', this.online);
    addEventListener('offline', this.offline);
  }

  private keyOf(file: File_): string {
    return `${this.grant.prefix}${file.name}`;
  }

  private get endpoint(): string {
    return `${new URL(this.grant.endpoint, location.href).href.replace(/\/$/, '')}/${this.grant.bucket}`;
  }

  /** The uploader asks again when the store calls the token expired. */
  private credentials() {
    let asked = 0;
    return async () => (asked++ === 0 ? this.grant : this.renew());
  }

  /** Half-sent files keep their keys only when the renewed grant is for the same prefix. */
  private async renew(): Promise<Grant> {
    const { files, bytes } = this.size;
    const grant = await this.client.grant(files, bytes, this.grant.prefix);
    if (grant.prefix !== this.grant.prefix) throw new Error('grant expired');
    this.grant = grant;
    return grant;
  }

  private listen(): void {
    // A report that was under way when the network went must not hide that it is gone.
    this.uppy.on('upload-progress', (file, progress) => {
      if (file && navigator.onLine) this.events.sent(file.meta.row, progress.bytesUploaded || 0);
    });
    this.uppy.on('upload-success', (file) => {
      if (file) this.events.stored(file.meta.row, this.keyOf(file));
    });
    this.uppy.on('upload-error', (file, error) => {
      if (file) this.troubled(file, troubleOf(error));
    });
  }

  private troubled(file: File_, trouble: UploadTrouble): void {
    const { row } = file.meta;
    const { error, away = false } = trouble;
    if (error === 2 && this.resumed.delete(row)) {
      // The store knows no such half any more: it was completed while the page went away, or is too old.
      this.uppy.setFileState(file.id, { s3Multipart: undefined });
      this.later(() => this.again(file.id), 0);
      return;
    }
    const tries = (this.tries.get(row) ?? 0) + 1;
    this.tries.set(row, tries);
    if (error === 2 || (navigator.onLine && tries > TRIES)) {
      this.events.failed(row, trouble);
      return;
    }
    this.events.paused(row, away);
    if (navigator.onLine) this.later(() => this.again(file.id), 1000 * 2 ** tries);
  }

  private later(run: () => void, wait: number): void {
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      run();
    }, wait);
    this.timers.add(timer);
  }

  private again(id: string): void {
    if (this.uppy.getState().files[id]?.error) void this.uppy.retryUpload(id);
  }

  private online = () => {
    this.tries.clear();
    for (const file of this.uppy.getFiles()) this.again(file.id);
  };

  /** Said at once; the request itself may notice the loss only much later. */
  private offline = () => {
    for (const { progress, meta } of this.uppy.getFiles()) {
      if (progress.uploadStarted && !progress.uploadComplete) this.events.paused(meta.row, false);
    }
  };

  send(items: Item[], saved: Map<string, SavedUpload>): void {
    for (const { id, name, blob } of items) {
      const file = this.uppy.addFile({
        name: `${id}${/\.[A-Za-z0-9]+$/.exec(name)?.[0] ?? ''}`,
        data: blob,
        meta: { row: id },
      });
      const half = saved.get(id);
      if (!half) continue;
      this.resumed.add(id);
      this.uppy.setFileState(file, { s3Multipart: { key: half.key, uploadId: half.uploadId } });
    }
    void this.uppy.upload();
  }

  file(row: string): File_ | undefined {
    return this.uppy.getFiles().find((file) => file.meta.row === row);
  }

  retry(row: string): void {
    this.tries.delete(row);
    const file = this.file(row);
    if (file) void this.uppy.retryUpload(file.id);
  }

  saved(row: string): SavedUpload | null {
    const half = (this.file(row) as { s3Multipart?: { key: string; uploadId: string } } | undefined)
      ?.s3Multipart;
    return half ? { grant: this.grant, ...half } : null;
  }

  close(): void {
    removeEventListener('online', this.online);
    removeEventListener('offline', this.offline);
    for (const timer of this.timers) clearTimeout(timer);
    this.uppy.destroy();
  }
}

/** Sends chosen files into the store with temporary credentials, one grant for each lot that is added. */
export class Uploads {
  private batches: Batch[] = [];

  constructor(
    readonly client: Client,
    readonly events: UploadEvents,
  ) {}

  private batchOf(row: string): Batch | undefined {
    return this.batches.find((batch) => batch.file(row));
  }

  async add(items: Item[], saved: Map<string, SavedUpload> = new Map()): Promise<void> {
    if (items.length === 0) return;
    const bytes = items.reduce((sum, { blob }) => sum + blob.size, 0);
    const size = { files: items.length, bytes };
    try {
      const grant = saved.values().next().value?.grant ?? (await this.client.grant(size.files, size.bytes));
      const batch = new Batch(this.client, grant, this.events, size);
      this.batches.push(batch);
      batch.send(items, saved);
    } catch (error) {
      for (const { id } of items) this.events.failed(id, troubleOf(error as Error));
      throw error;
    }
  }

  /** A lost network goes on in its own grant; a refusal of the store needs a new one. */
  async retry(item: Item, error: UploadError): Promise<void> {
    const batch = this.batchOf(item.id);
    if (batch && error === 1) return batch.retry(item.id);
    this.cancel(item.id);
    await this.add([item]);
  }

  cancel(row: string): void {
    const batch = this.batchOf(row);
    const file = batch?.file(row);
    if (batch && file) batch.uppy.removeFile(file.id);
  }

  saved(row: string): SavedUpload | null {
    return this.batchOf(row)?.saved(row) ?? null;
  }

  close(): void {
    for (const batch of this.batches) batch.close();
    this.batches = [];
  }
}
