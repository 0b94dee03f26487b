/**
 * Presigned S3 addresses without crypto.subtle, which browsers keep from plain-http pages other
 * than localhost. A Papercrane on a home network has no certificate; its uploads are signed here.
 */
import type { Grant } from '../api/types';

const K = Uint32Array.from(
  { length: 64 },
  (
    (primes: number[]) => (_, i) =>
      fraction(Math.cbrt(primes[i]!))
  )(firstPrimes(64)),
);
const H = firstPrimes(8).map((prime) => fraction(Math.sqrt(prime)));
const BLOCK = 64;

function fraction(root: number): number {
  return ((root - Math.floor(root)) * 2 ** 32) >>> 0;
}

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime !== 0)) primes.push(n);
  return primes;
}

const turn = (x: number, by: number) => (x >>> by) | (x << (32 - by));

function padded(data: Uint8Array): DataView {
  const bytes = new Uint8Array(Math.ceil((data.length + 9) / BLOCK) * BLOCK);
  bytes.set(data);
  bytes[data.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(bytes.length - 8, Math.floor(data.length / 2 ** 29));
  view.setUint32(bytes.length - 4, (data.length * 8) >>> 0);
  return view;
}

function schedule(view: DataView, offset: number): Uint32Array {
  const w = new Uint32Array(64);
  for (let i = 0; i < 16; i++) w[i] = view.getUint32(offset + i * 4);
  for (let i = 16; i < 64; i++) {
    const [a, b] = [w[i - 15]!, w[i - 2]!];
    const s0 = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const s1 = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16]! + s0 + w[i - 7]! + s1;
  }
  return w;
}

function compress(state: Uint32Array, w: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + K[i]! + w[i]!) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + t1) | 0, c, b, a, (t1 + t2) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => {
    state[i] = state[i]! + word;
  });
}

export function sha256(data: Uint8Array): Uint8Array {
  const view = padded(data);
  const state = Uint32Array.from(H);
  for (let offset = 0; offset < view.byteLength; offset += BLOCK) compress(state, schedule(view, offset));
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => {
    digest.setUint32(i * 4, word);
  });
  return new Uint8Array(digest.buffer);
}

const utf8 = (text: string) => new TextEncoder().encode(text);
export const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

export function hmac(key: Uint8Array, text: string): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const pad = (byte: number) => block.map((value) => value ^ byte);
  return sha256(joined(pad(0x5c), sha256(joined(pad(0x36), utf8(text)))));
}

const escaped = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export type Signable = {
  method: string;
  key: string;
  uploadId?: string;
  partNumber?: number;
  expiresIn?: number;
};

function queryOf(request: Signable, grant: Grant, scope: string, time: string): string {
  const query: Record<string, string> = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Content-Sha256': 'UNSIGNED-PAYLOAD',
    'X-Amz-Credential': `${grant.credentials.accessKeyId}/${scope}`,
    'X-Amz-Date': time,
    'X-Amz-Expires': String(request.expiresIn ?? 3600),
    'X-Amz-Security-Token': grant.credentials.sessionToken,
    'X-Amz-SignedHeaders': 'host',
  };
  if (request.uploadId) query.uploadId = request.uploadId;
  if (request.partNumber) query.partNumber = String(request.partNumber);
  if (request.method === 'POST' && !request.uploadId) query.uploads = '';
  const pairs = Object.entries(query).map(([name, value]) => `${escaped(name)}=${escaped(value)}`);
  return pairs.sort().join('&');
}

/** The presigned address of one S3 request (SigV4, query form). */
export function presign(request: Signable, grant: Grant, endpoint: string, now: Date): string {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${grant.region}/s3/aws4_request`;
  const base = new URL(endpoint);
  const path = `${base.pathname.replace(/\/$/, '')}/${request.key.split('/').map(escaped).join('/')}`;
  const query = queryOf(request, grant, scope, time);
  const lines = [request.method, path, query, `host:${base.host}`, '', 'host', 'UNSIGNED-PAYLOAD'];
  const text = ['AWS4-HMAC-SHA256', time, scope, hex(sha256(utf8(lines.join('\n'))))].join('\n');
  const steps = [day, grant.region, 's3', 'aws4_request'];
  const key = steps.reduce(hmac, utf8(`AWS4${grant.credentials.secretAccessKey}`));
  return `${base.origin}${path}?${query}&X-Amz-Signature=${hex(hmac(key, text))}`;
}
