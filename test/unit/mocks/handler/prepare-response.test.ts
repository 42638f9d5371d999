/** Prepared responses: JSON in UTF-8, compressed where that is wanted (RFC 9110 §8.4, §12.5.3), and decoded to text only on demand. */

import { gunzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import type { HttpRequest } from '../../../../core/http/exchange.ts';
import {
  type DraftResponse,
  draftToHttpResponse,
  type PreparedResponse,
  prepare,
  preparedToHttpResponse,
  prepareHttpResponse,
} from '../../../../mocks/handler/prepare-response.ts';

const get: HttpRequest = { method: 'GET', target: '/', headers: {} };

const page = { next: 'c', more: true, records: [{ key: 1, versionMs: undefined }] };

describe('a prepared response', () => {
  it('has its body as JSON in UTF-8, with this content type', () => {
    const { headers, body, encoded } = prepare(get, { status: 200, headers: { etag: '"a"' }, body: { name: 'Caffè – €' } });
    expect(body).toEqual(Buffer.from('{"name":"Caffè – €"}'));
    expect(encoded).toBe(body);
    expect(headers).toMatchObject({ etag: '"a"', 'content-type': 'application/json; charset=utf-8', 'content-length': '25' });
  });

  it('keeps the content type of the answer', () => {
    const answer = { status: 400, headers: { 'content-type': 'application/problem+json' }, body: {} };
    expect(prepare(get, answer).headers['content-type']).toBe('application/problem+json; charset=utf-8');
  });

  it('keeps a body of bytes, and its page', () => {
    const bytes = Buffer.from('{"next":"c"}');
    const response = prepare(get, { status: 200, headers: {}, body: bytes, page });
    expect(response.body).toBe(bytes);
    expect(response.page).toBe(page);
  });

  it('without a body has neither bytes nor a type nor a length', () => {
    const response = prepare(get, { status: 304, headers: {}, body: undefined });
    expect([response.body.length, response.encoded]).toEqual([0, undefined]);
    expect(Object.keys(response.headers)).not.toContain('content-type');
    expect(Object.keys(response.headers)).not.toContain('content-length');
  });

  it('to HEAD has the length of the body and no byte of it (RFC 9110 §9.3.2)', () => {
    const response = prepare({ ...get, method: 'HEAD' }, { status: 200, headers: {}, body: 'abc', page });
    expect(response).toMatchObject({ headers: { 'content-length': '5' }, encoded: undefined, page: undefined });
    expect(response.body).toHaveLength(0);
  });

  it('of a middleware keeps its headers and body', () => {
    const response = prepareHttpResponse(get, { status: 200, headers: { 'set-cookie': ['a', 'b'] }, body: '<p>' }, {});
    expect(response.headers).toMatchObject({ 'set-cookie': ['a', 'b'], 'content-length': '3' });
    expect(response.headers).not.toHaveProperty('content-type');
  });
});

describe('a response for middlewares and listeners', () => {
  const prepared = prepareHttpResponse(get, { status: 200, headers: {}, body: '"Caffè"' }, {});
  const { headers } = prepared;

  it('has a text body, also when copied, compared or printed', () => {
    const expected = { status: 200, headers, body: '"Caffè"' };
    const response = preparedToHttpResponse(prepared);
    expect(response).toEqual(expected);
    expect({ ...response }).toEqual(expected);
    expect({ ...response, status: 404 }.body).toBe('"Caffè"');
    expect({ ...response, body: 'other' }.body).toBe('other');
    expect(JSON.parse(JSON.stringify(response))).toEqual(expected);
  });

  it('decodes its body only when it is read', () => {
    const read = vi.spyOn(prepared.body, 'toString');
    const fresh = preparedToHttpResponse(prepared);
    expect([fresh.status, read.mock.calls.length]).toEqual([200, 0]);
    expect([fresh.body, read.mock.calls.length]).toEqual(['"Caffè"', 1]);
    read.mockRestore();
  });

  it('is the same from an answer, without the headers that depend on the request', () => {
    expect(draftToHttpResponse({ status: 200, headers: { etag: '"a"' }, body: ['è'] })).toEqual({
      status: 200,
      headers: { etag: '"a"', 'content-type': 'application/json; charset=utf-8' },
      body: '["è"]',
    });
  });
});

const body = JSON.stringify({ text: 'Perché no? '.repeat(20) });
const message: DraftResponse = { status: 200, headers: { 'content-type': 'application/json', etag: '"a"' }, body: Buffer.from(body) };

function encode(accepted: string | undefined, answer: DraftResponse = message): PreparedResponse {
  const headers = accepted === undefined ? {} : { 'accept-encoding': accepted };
  return prepare({ method: 'GET', target: '/', headers }, answer);
}

function bytesOf({ encoded }: PreparedResponse): Buffer {
  return encoded ?? Buffer.alloc(0);
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
    expect(gunzipSync(bytesOf(encoded)).toString()).toBe(body);
    expect(bytesOf(encoded).length).toBeLessThan(Buffer.byteLength(body));
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
    expect(bytesOf(encoded).toString()).toBe(body);
    expect(encoded.headers['etag']).toBe('"a"');
  });
});

describe('a compressed answer', () => {
  it('keeps its status and its other headers', () => {
    expect(encode('gzip')).toMatchObject({ status: 200, headers: { 'content-type': 'application/json; charset=utf-8' } });
  });

  it('has another tag', () => {
    expect(encode('gzip').headers['etag']).toBe('"a-gzip"');
  });

  it('has no tag if the plain answer has none', () => {
    expect(encode('gzip', { ...message, headers: {} }).headers).not.toHaveProperty('etag');
  });

  it('has the same bytes each time', () => {
    expect(bytesOf(encode('gzip')).equals(bytesOf(encode('gzip')))).toBe(true);
  });
});

describe('an answer without a body', () => {
  it('is not compressed, and a 304 repeats the tag that the compressed 200 had (RFC 9110 §15.4.5)', () => {
    const encoded = encode('gzip', { status: 304, headers: { etag: '"a"' }, body: undefined });
    expect(encoded.headers['content-encoding']).toBeUndefined();
    expect(encoded.headers['etag']).toBe('"a-gzip"');
    expect(bytesOf(encoded).length).toBe(0);
  });
});

describe('Vary', () => {
  const names = (encoded: PreparedResponse): readonly string[] => String(encoded.headers['vary']).split(', ').sort();

  it('always names Accept-Encoding and Prefer (RFC 7240 §2)', () => {
    for (const field of [undefined, 'gzip']) expect(names(encode(field))).toEqual(['Accept-Encoding', 'Prefer']);
  });

  it('keeps its other names', () => {
    const encoded = encode('gzip', { ...message, headers: { vary: 'Access-Control-Request-Headers' } });
    expect(names(encoded)).toEqual(['Accept-Encoding', 'Access-Control-Request-Headers', 'Prefer']);
  });
});

describe('every response', () => {
  const { headers } = encode(undefined);

  it('may be read by any web page, with the headers that a client needs', () => {
    expect(headers['access-control-allow-origin']).toBe('*');
    const exposed = String(headers['access-control-expose-headers']).split(', ');
    expect(exposed).toEqual(expect.arrayContaining(['ETag', 'Retry-After', 'Allow', 'WWW-Authenticate']));
  });

  it('allows no credentials, since any origin may read', () => {
    expect(headers).not.toHaveProperty('access-control-allow-credentials');
  });
});
