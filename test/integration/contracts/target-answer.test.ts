/** Answers arrive whole: decoded, with their fields as sent. */

import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerOf, get, open } from './sending.ts';
import { serve, serveOnce } from './servers.ts';

describe('an answer', () => {
  const body = `{"text":"${'à😀 '.repeat(300)}"}`;

  it.each([
    ['gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['deflate', deflateRawSync(body)],
    ['br', brotliCompressSync(body)],
    ['gzip, gzip', gzipSync(gzipSync(body))],
    ['identity', Buffer.from(body)],
  ])('is decoded: %s', async (coding, encoded) => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': coding }).end(encoded));
    const { response } = await answerOf(get(open(server.url)));
    expect(response.body).toBe(body);
    expect(response.headers['content-encoding']).toBe(coding);
  });

  it('in an unknown coding has a body that is not read', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'dcb' }).end(body));
    expect((await answerOf(get(open(server.url)))).response).toMatchObject({
      status: 200,
      body: '',
      unread: 'the content coding dcb is not known',
    });
  });

  it('may be chunked, in pieces that cut characters', async () => {
    const server = await serve((_, response) => {
      for (const byte of Buffer.from(body.slice(0, 60))) response.write(Buffer.from([byte]));
      response.end();
    });
    expect((await answerOf(get(open(server.url)))).response.body).toBe(body.slice(0, 60));
  });

  it('may end with its connection', async () => {
    const server = await serveOnce('HTTP/1.0 200 OK\r\ncontent-type: text/plain\r\n\r\nto the end');
    const target = open(server.url);
    for (let count = 0; count < 3; count += 1) expect((await answerOf(get(target))).response.body).toBe('to the end');
  });

  it('keeps bytes that are not UTF-8 as U+FFFD', async () => {
    const server = await serve((_, response) => response.end(Buffer.from([0x61, 0xff, 0x62, 0xc3])));
    expect((await answerOf(get(open(server.url)))).response.body).toBe('a\ufffdb\ufffd');
  });

  it('keeps its status and its fields, repeated ones as lists', async () => {
    const server = await serveOnce(
      'HTTP/1.1 418 Short\r\nETag: "a"\r\nETag: "b"\r\nContent-Type: a/b\r\nX-One: 1\r\nSet-Cookie: c\r\nSet-Cookie: d\r\nContent-Length: 0\r\n\r\n',
    );
    const { response } = await answerOf(get(open(server.url)));
    expect(response).toEqual({
      status: 418,
      headers: { etag: ['"a"', '"b"'], 'content-type': 'a/b', 'x-one': '1', 'set-cookie': ['c', 'd'], 'content-length': '0' },
      body: '',
    });
  });

  it('comes after those that only inform', async () => {
    const server = await serveOnce(
      'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok',
    );
    expect((await answerOf(get(open(server.url)))).response).toMatchObject({ status: 200, body: 'ok' });
  });

  it('to HEAD has no body, and its fields may say what a body would be', async () => {
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip', 'content-length': 50 }).end());
    const { response } = await answerOf(open(server.url).send({ method: 'HEAD', target: '/', headers: {} }));
    expect(response).toMatchObject({ body: '', headers: { 'content-encoding': 'gzip', 'content-length': '50' } });
  });

  it('with 304 has none either', async () => {
    const server = await serve((_, response) => response.writeHead(304, { etag: '"a"', 'content-encoding': 'gzip' }).end());
    expect((await answerOf(get(open(server.url)))).response).toMatchObject({ status: 304, body: '' });
  });

  it('comes with times that go forward', async () => {
    const server = await serve((_, response) => setTimeout(() => response.end(), 30));
    const target = open(server.url);
    const [first, second] = [await get(target), await get(target)];
    expect(first.endedMs - first.startedMs).toBeGreaterThan(25);
    expect(second.startedMs).toBeGreaterThanOrEqual(first.endedMs);
  });
});

describe('an answer without a body by its status', () => {
  it.each([
    ['connection: close\r\n', 'a connection that ends'],
    ['', 'a connection that stays'],
  ])('shows the body that a server sends all the same: %j, %s', async (field) => {
    const server = await serveOnce(`HTTP/1.1 304 Not Modified\r\n${field}content-length: 8\r\n\r\n{"a": 1}`);
    const { response } = await answerOf(get(open(server.url)));
    expect(response).toMatchObject({ status: 304, body: '{"a": 1}' });
  });
});
