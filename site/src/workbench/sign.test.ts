import { createHash, createHmac } from 'node:crypto';
import { expect, it } from 'vitest';
import { createSigV4Presigner } from '../../node_modules/@uppy/aws-s3/lib/s3-client/signer.js';
import { hex, hmac, presign, sha256 } from './sign';

const utf8 = (text: string) => new TextEncoder().encode(text);

it.each([0, 1, 55, 56, 63, 64, 65, 1000])('hashes %i bytes as SHA-256 does', (length) => {
  const data = Uint8Array.from({ length }, (_, i) => (i * 37) % 256);
  expect(hex(sha256(data))).toBe(createHash('sha256').update(data).digest('hex'));
});

it.each(['short', 'k'.repeat(100)])('keys an HMAC with %s', (key) => {
  expect(hex(hmac(utf8(key), 'text'))).toBe(createHmac('sha256', key).update('text').digest('hex'));
});

const grant = {
  credentials: { accessKeyId: 'PC1', secretAccessKey: 's/+', sessionToken: '17.ab=+/', expiration: '' },
  region: 'us-east-1',
  endpoint: '',
  bucket: 'b',
  prefix: 'uploads/o/g/',
  maxBytes: 1,
};

it.each([
  { method: 'PUT', key: 'uploads/o/g/合同 (1).pdf' },
  { method: 'POST', key: 'uploads/o/g/a.pdf' },
  { method: 'PUT', key: 'uploads/o/g/a.pdf', uploadId: 'u+1', partNumber: 3 },
  { method: 'GET', key: 'uploads/o/g/a.pdf', uploadId: 'u' },
] as const)('signs %o as the uploader itself would', async (request) => {
  const endpoint = 'http://192.168.1.9:8000/s3/b';
  const theirs = await createSigV4Presigner({ ...grant.credentials, region: grant.region, endpoint })(
    request as never,
  );
  const signed = new URL(theirs.url);
  const time = signed.searchParams.get('X-Amz-Date')!;
  const now = new Date(time.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z'));
  const ours = new URL(presign(request, grant, endpoint, now));
  expect(ours.pathname).toBe(signed.pathname);
  expect(Object.fromEntries(ours.searchParams)).toEqual(Object.fromEntries(signed.searchParams));
});
