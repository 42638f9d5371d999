/** Compression: when it is wanted, what it changes, and that it loses nothing (RFC 9110 §8.4, §12.5.3). */

import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../../mocks/answer.ts';
import { encodeContent } from '../../../mocks/content-coding.ts';

const body = JSON.stringify({ text: 'Perché no? '.repeat(20) });
const message: Message = { status: 200, headers: { 'content-type': 'application/json', etag: '"a"' }, bytes: Buffer.from(body) };

function encode(accepted: string | undefined, answer: Message = message): Message {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  return encodeContent({ method: 'GET', target: '/', headers }, answer);
}

describe('Accept-Encoding', () => {
  const wanted = [
    'gzip',
    'GZip',
    'x-gzip',
    'gzip, deflate, br',
    'br;q=1.0, gzip;q=0.2',
    'gzip;q=0.001',
    'gzip ; q=1',
    'gzip;Q=0.5',
    '*',
    'br, *;q=0.1',
    '*;q=0, gzip',
    'identity;q=0, *',
    'deflate,,gzip',
  ];
  it.each(wanted)('%s: the answer is compressed', (field) => {
    const encoded = encode(field);
    expect(encoded.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(encoded.bytes).toString()).toBe(body);
    expect(encoded.bytes.length).toBeLessThan(Buffer.byteLength(body));
  });

  const unwanted = [
    undefined,
    '',
    'identity',
    'br',
    'deflate, br',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip; q=0, *',
    'x-gzip;q=0, *;q=1',
    '*;q=0',
    'gzipped',
    'br;q=1, gzip;q=0',
    'identity, *;q=0',
    'gzip;q=none',
  ];
  it.each(unwanted)('%s: the answer is sent as it is', (field) => {
    const encoded = encode(field);
    expect(encoded.headers['content-encoding']).toBeUndefined();
    expect(encoded.bytes.toString()).toBe(body);
    expect(encoded.headers['etag']).toBe('"a"');
  });
});

describe('a compressed answer', () => {
  it('keeps its status and its other headers', () => {
    expect(encode('gzip')).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
  });

  it('has a tag of its own, since its bytes are others', () => {
    expect(encode('gzip').headers['etag']).toBe('"a-gzip"');
  });

  it('has no tag when the plain one has none', () => {
    expect(encode('gzip', { ...message, headers: {} }).headers).not.toHaveProperty('etag');
  });

  it('is the same bytes each time', () => {
    expect(encode('gzip').bytes.equals(encode('gzip').bytes)).toBe(true);
  });
});

describe('an answer without a body', () => {
  it('is not compressed, and a 304 repeats the tag that the compressed 200 had (RFC 9110 §15.4.5)', () => {
    const encoded = encode('gzip', { status: 304, headers: { etag: '"a"' }, bytes: Buffer.alloc(0) });
    expect(encoded.headers['content-encoding']).toBeUndefined();
    expect(encoded.headers['etag']).toBe('"a-gzip"');
    expect(encoded.bytes.length).toBe(0);
  });
});

describe('Vary', () => {
  const names = (encoded: Message): readonly string[] => String(encoded.headers['vary']).split(', ').sort();

  it('names what every answer depends on, used or not: the coding, and the preferences (RFC 7240 §2)', () => {
    for (const field of [undefined, 'gzip']) expect(names(encode(field))).toEqual(['Accept-Encoding', 'Prefer']);
  });

  it('keeps what it named before', () => {
    const encoded = encode('gzip', { ...message, headers: { vary: 'Access-Control-Request-Headers' } });
    expect(names(encoded)).toEqual(['Accept-Encoding', 'Access-Control-Request-Headers', 'Prefer']);
  });
});
