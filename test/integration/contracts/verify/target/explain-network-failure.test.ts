/** Each kind of failure has its own cause and advice. */

import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { answerOf, failureOf, get, open } from '../../sending.ts';
import { closedPort, serve, serveOnce, serveTls } from '../../servers.ts';

describe('a failure', () => {
  it('is unreachable when nothing listens', async () => {
    const port = await closedPort();
    const result = await failureOf(get(open(`http://127.0.0.1:${port}`)));
    expect(result.cause).toBe('unreachable');
    expect(result.message).toContain(`127.0.0.1:${port}`);
    expect((await failureOf(get(open(`http://localhost:${port}`)))).cause).toBe('unreachable');
  });

  it('is an unknown host when there is no such name', async () => {
    const result = await failureOf(get(open('http://no-such-host.invalid')));
    expect(result.cause).toBe('unknown-host');
    expect(result.message).toContain('no-such-host.invalid');
  });

  it('is a timeout before the answer, and in the middle of it', async () => {
    const server = await serve(({ url }, response) => {
      if (url !== '/never') response.write('{');
    });
    const target = open(server.url, { timeoutMs: 150 });
    for (const path of ['/never', '/half']) {
      const result = await failureOf(get(target, path));
      expect(result.cause).toBe('timeout');
      expect(result.message).toMatch(/150 ms.*--timeout/);
      expect(result.endedMs - result.startedMs).toBeLessThan(2000);
    }
  });

  it('is a timeout when an answer trickles', async () => {
    const server = await serve((_, response) => {
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    });
    expect((await failureOf(get(open(server.url, { timeoutMs: 200 })))).cause).toBe('timeout');
  });

  it.each([
    ['a body that is too short', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nshort'],
    ['a chunk that is cut', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nabc'],
    ['chunks without an end', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n'],
    ['a wrong chunk size', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\nabc\r\n'],
    ['no answer', ''],
    ['half a header', 'HTTP/1.1 200 OK\r\ncontent-'],
    ['bytes that are not gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 2\r\n\r\n{}'],
    ['bytes that are not brotli', 'HTTP/1.1 200 OK\r\ncontent-encoding: br\r\ncontent-length: 2\r\n\r\n{}'],
  ])('is a broken answer: %s', async (_, answer) => {
    const result = await failureOf(get(open((await serveOnce(answer)).url)));
    expect(result.cause).toBe('broken');
    expect(result.message).toMatch(/127\.0\.0\.1:\d+/);
  });

  it('is a broken answer when gzip is cut', async () => {
    const cut = gzipSync('a'.repeat(1000)).subarray(0, 20);
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(cut));
    expect((await failureOf(get(open(server.url)))).cause).toBe('broken');
  });

  it.each(['SSH-2.0-OpenSSH_9.9\r\n', '220 mail.example ESMTP\r\n', '<html>hello</html>'])('is not HTTP: %s', async (greeting) => {
    const result = await failureOf(get(open((await serveOnce(greeting)).url)));
    expect(result.cause).toBe('not-http');
    expect(result.message).toMatch(/http or https/);
  });

  it('is not HTTP when the status has no meaning', async () => {
    const result = await failureOf(get(open((await serveOnce('HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n')).url)));
    expect(result.cause).toBe('not-http');
    expect(result.message).toContain('returned the status 99');
  });

  it('is not HTTP when TLS is spoken to a server without it', async () => {
    const server = await serve((_, response) => response.end());
    expect((await failureOf(get(open(server.url.replace('http', 'https'))))).cause).toBe('not-http');
  });

  it('is a certificate that nobody vouches for', async () => {
    const server = await serveTls((_, response) => response.end('secret'));
    const result = await failureOf(get(open(server.url)));
    expect(result.cause).toBe('certificate');
    expect(result.message).toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  it('is too large over 16 MB, and just not at 16 MB', { timeout: 60_000 }, async () => {
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    const server = await serve(({ url }, response) => {
      const count = Number((url ?? '').slice(1));
      const write = (left: number): void => {
        if (left === 0) response.end(count > 16 ? 'x' : '');
        else response.write(megabyte, () => write(left - 1));
      };
      write(count);
    });
    expect((await answerOf(get(open(server.url, { timeoutMs: 30_000 }), '/16'))).response.body).toHaveLength(16 * 1024 * 1024);
    expect((await failureOf(get(open(server.url, { timeoutMs: 30_000 }), '/17'))).cause).toBe('too-large');
  });

  it('is too large when little data unpacks to much', async () => {
    const bomb = gzipSync(Buffer.alloc(17 * 1024 * 1024));
    const server = await serve((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb));
    const result = await failureOf(get(open(server.url)));
    expect(result.cause).toBe('too-large');
    expect(result.message).toContain('16 MB');
  });

  it('is too large when the header does not end', async () => {
    const server = await serveOnce(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`);
    expect((await failureOf(get(open(server.url)))).cause).toBe('too-large');
  });
});
