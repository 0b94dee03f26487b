import type Uppy from '@uppy/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Client } from '../api/client';
import type { Grant } from '../api/types';
import { Problem } from '../api/problem';
import { troubleOf, Uploads } from './uploads';

const GRANT = {
  endpoint: '/s3',
  bucket: 'uploads',
  region: 'auto',
  prefix: 'in/one/',
  credentials: { accessKeyId: 'a', secretAccessKey: 'b', sessionToken: 'c' },
};
const client = { grant: async () => GRANT } as unknown as Client;
const said: string[] = [];
const uploads = new Uploads(client, {
  sent: (id, bytes) => said.push(`sent ${id} ${bytes}`),
  paused: (id, away) => said.push(`paused ${id}${away ? ' away' : ''}`),
  stored: (id) => said.push(`stored ${id}`),
  failed: (id, trouble) => said.push(`failed ${id} ${JSON.stringify(trouble)}`),
});

/** The uploader that is at work, to play what the network does to it. */
const uppy = () => (uploads as unknown as { batches: [{ uppy: Uppy }] }).batches[0].uppy;

function network(there: boolean): void {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
  dispatchEvent(new Event(there ? 'online' : 'offline'));
}

function progress(bytes: number): void {
  const [file] = uppy().getFiles();
  if (!file) throw new Error('nothing is under way');
  const now = {
    ...file.progress,
    uploadStarted: 1,
    uploadComplete: false as const,
    bytesUploaded: bytes,
    bytesTotal: 9,
  };
  uppy().setFileState(file.id, { progress: now });
  uppy().emit('upload-progress', uppy().getFile(file.id), now);
}

beforeEach(async () => {
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await uploads.add([{ id: 'row', name: 'a.pdf', blob: new File(['123456789'], 'a.pdf') }]);
  said.length = 0;
});

afterEach(() => {
  uploads.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a lost network', () => {
  it('stays said when a report of bytes sent before arrives late', () => {
    progress(3);
    network(false);
    progress(4);
    expect(said).toEqual(['sent row 3', 'paused row']);
  });

  it('is over with the first report after it', () => {
    progress(3);
    network(false);
    network(true);
    progress(5);
    expect(said).toEqual(['sent row 3', 'paused row', 'sent row 5']);
  });
});

describe('whose trouble it is', () => {
  const problem = (code: number, reason: string) => new Problem({ code, reason, msg: reason });
  const lost = { name: 'S3NetworkError', message: 'Network error during S3 request' };

  it.each([
    ['no answer and no network', false, lost, { error: 1, away: false }],
    ['no answer though the network is there', true, lost, { error: 1, away: true }],
    ['the API not reached though the network is there', true, problem(0, 'x'), { error: 1, away: true }],
    ['the API not reached without a network', false, problem(0, 'x'), { error: 1, away: false }],
    ['an upgrade', true, problem(503, 'code_503'), { error: 1, away: true }],
    ['a store that is away', true, { name: 'S3ServiceError', status: 502 }, { error: 1, away: true }],
    ['a full store', true, problem(507, 'storage_full'), { error: 2, msg: 'storage_full' }],
    ['a refusal', true, problem(429, 'too_many_requests'), { error: 2, msg: 'too_many_requests' }],
    ['a store that refuses', true, { name: 'S3ServiceError', status: 403 }, { error: 2 }],
  ])('%s', (_, there, error, trouble) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(there);
    expect(troubleOf(error)).toEqual(trouble);
  });
});

/** The store: an earlier page's upload is unknown to it (404); to the next request it never answers. */
class ForgetfulStore {
  static asked: string[] = [];
  upload = {};
  known = true;
  status = 404;
  statusText = 'Not Found';
  responseText = '<Error><Code>NoSuchUpload</Code></Error>';
  onload = () => {};

  open(method: string, url: string) {
    const { pathname, search } = new URL(url);
    this.known = !search.includes('uploadId=old');
    if (pathname.endsWith('/half.pdf')) ForgetfulStore.asked.push(`${method} ${search}`);
  }

  send() {
    if (!this.known) this.onload();
  }

  setRequestHeader() {}
  getResponseHeader = () => null;
  abort() {}
}

it('sends a file afresh when the store forgot what an earlier page had sent of it', async () => {
  vi.stubGlobal('XMLHttpRequest', ForgetfulStore);
  const half = { grant: GRANT as unknown as Grant, key: 'in/one/half.pdf', uploadId: 'old' };
  const blob = new File([new Uint8Array(9 << 20)], 'b.pdf');
  await uploads.add([{ id: 'half', name: 'b.pdf', blob }], new Map([['half', half]]));
  await vi.waitFor(() => expect(ForgetfulStore.asked).toHaveLength(2));
  expect(ForgetfulStore.asked[0]).toMatch(/^GET .*uploadId=old/);
  expect(ForgetfulStore.asked[1]).toMatch(/^POST .*uploads/);
  expect(said).toEqual([]);
});
