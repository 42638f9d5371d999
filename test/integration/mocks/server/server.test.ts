/** The server: it answers malformed requests in the error format of the API, and never crashes. */

import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import type { Json } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { fixture, startJudgedMock } from '../../../helpers/judged-mock.ts';
import { ask } from '../../../helpers/plain-client.ts';
import { converse, open, type RawAnswer } from '../../../helpers/raw-socket.ts';

const list = '/books?size=1';
const host = 'Host: localhost\r\n';

/** The message of a failure of the fixture. */
function reasonOf(answer: RawAnswer | undefined): Json | undefined {
  if (answer === undefined) throw new Error('there is no answer');
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const body = JSON.parse(answer.body) as Json;
  expect(valueAt(body, '/outcome')).toBe('failed');
  return valueAt(body, '/fault/reason');
}

describe('the server', async () => {
  const mock = await startJudgedMock({ contracts: [fixture('library')] });
  afterAll(() => mock.close());
  const { port } = mock;

  async function stillAnswers(): Promise<void> {
    expect((await ask(mock, list)).status).toBe(200);
  }

  const garbage: readonly (readonly [title: string, bytes: string])[] = [
    ['a word', 'HELLO\r\n\r\n'],
    ['zeros', '\0\0\0\0\r\n\r\n'],
    ['the beginning of a TLS handshake', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03'],
    ['an unknown method', `BREW /books HTTP/1.1\r\n${host}\r\n`],
    ['a method in small letters', `get /books HTTP/1.1\r\n${host}\r\n`],
    ['an unknown version', `GET /books HTTP/9.9\r\n${host}\r\n`],
    ['a header without a colon', `GET /books HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
    ['a space in the name of a header', `GET /books HTTP/1.1\r\n${host}Bad Name: 1\r\n\r\n`],
    ['a length that is no number', `GET /books HTTP/1.1\r\n${host}Content-Length: abc\r\n\r\n`],
    ['a length and chunks at once', `GET /books HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`],
    ['a target with a space in it', `GET /books of mine HTTP/1.1\r\n${host}\r\n`],
    ['a target with bytes above ASCII', `GET /books/\u00e8 HTTP/1.1\r\n${host}\r\n`],
  ];
  it.each(garbage)('refuses %s with 400 in the error format, and closes the connection', async (_, bytes) => {
    const { answers, closed } = await converse(port, Buffer.from(bytes, 'latin1'), 'closed');
    expect(answers.map(({ status }) => status)).toEqual([400]);
    expect(reasonOf(answers[0])).toBe('bad-question');
    expect(answers[0]?.headers.get('connection')).toBe('close');
    expect(closed).toBe(true);
    await stillAnswers();
  });

  it.each([
    ['a header', `GET /books HTTP/1.1\r\n${host}X-Long: ${'x'.repeat(70_000)}\r\n\r\n`],
    ['a target', `GET /books?find=${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n`],
    ['a thousand headers', `GET /books HTTP/1.1\r\n${host}${'X-Many: 0123456789012345678901234567890123456789\r\n'.repeat(1500)}\r\n`],
  ])('refuses %s of more than 64 KiB with 431', async (_, bytes) => {
    const { answers } = await converse(port, bytes, 'closed');
    expect(answers.map(({ status }) => status)).toEqual([431]);
    expect(reasonOf(answers[0])).toBe('HEADERS_TOO_LARGE');
    await stillAnswers();
  });

  it('accepts headers of 60 KiB', async () => {
    expect((await ask(mock, list, { 'x-long': 'x'.repeat(60_000) })).status).toBe(200);
  });

  it('refuses a request of HTTP/1.1 without Host with 400 (RFC 9112 §3.2)', async () => {
    const { answers } = await converse(port, `GET ${list} HTTP/1.1\r\n\r\n`, 1);
    expect(answers[0]?.status).toBe(400);
    expect(reasonOf(answers[0])).toBe('bad-question');
  });

  it('answers HTTP/1.0, also without Host, and closes the connection', async () => {
    const { answers, closed } = await converse(port, `GET ${list} HTTP/1.0\r\n\r\n`, 'closed');
    expect(answers.map(({ status }) => status)).toEqual([200]);
    expect(closed).toBe(true);
  });

  it('ignores an unknown expectation (RFC 9110 §10.1.1)', async () => {
    const { answers } = await converse(port, `GET ${list} HTTP/1.1\r\n${host}Expect: nonsense\r\n\r\n`, 1);
    expect(answers[0]?.status).toBe(200);
  });

  it('refuses CONNECT with 405', async () => {
    const { answers, closed } = await converse(port, `CONNECT example.org:80 HTTP/1.1\r\n${host}\r\n`, 'closed');
    expect(answers.map(({ status }) => status)).toEqual([405]);
    expect(reasonOf(answers[0])).toBe('METHOD_NOT_ALLOWED');
    expect(closed).toBe(true);
  });

  it('ignores an upgrade (RFC 9110 §7.8)', async () => {
    const { answers } = await converse(port, `GET ${list} HTTP/1.1\r\n${host}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, 1);
    expect(answers[0]?.status).toBe(200);
  });

  const targets: readonly (readonly [target: string, status: number])[] = [
    ['http://example.org/books?size=1', 200],
    ['HTTP://EXAMPLE.ORG/books/2', 200],
    ['http://example.org', 404],
    ['/books?size=1#part', 200],
    ['/bo%6Fks?size=1', 200],
    ['/', 404],
    ['//', 404],
    ['//books', 404],
    ['/books//2', 404],
    ['/books/', 404],
    ['/%', 404],
    ['/%E8', 404],
    ['/books/%', 400],
    ['/books/%ff', 400],
    ['/books/2%2F', 400],
    ['/books?find=%', 400],
    ['/books?%=1', 400],
    ['/books?&&size=1&', 200],
    ['/books?', 200],
    ['/.%2e/books', 404],
    ['*', 404],
    ['/__proto__', 404],
    ['/books?__proto__=1', 400],
    ['/books/constructor', 400],
  ];
  it.each(targets)('answers the target %s with %i', async (target, status) => {
    const { answers } = await converse(port, `GET ${target} HTTP/1.1\r\n${host}\r\n`, 1);
    expect(answers[0]?.status).toBe(status);
    if (status !== 200) reasonOf(answers[0]);
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'])(
    'answers %s with 405 and the methods that are allowed',
    async (method) => {
      const { answers } = await converse(port, `${method} /books HTTP/1.1\r\n${host}\r\n`, 1);
      expect(answers[0]?.status).toBe(405);
      expect(answers[0]?.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
    },
  );

  it('answers pipelined requests in their order (RFC 9112 §9.3.2)', async () => {
    const numbers = [2, 99, 1, 98, 3, 97, 20, 96];
    const bytes = numbers.map((number) => `GET /books/${number} HTTP/1.1\r\n${host}\r\n`).join('');
    const { answers } = await converse(port, bytes, numbers.length);
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 200, 404, 200, 404, 200, 404]);
    const found = answers.filter(({ status }) => status === 200).map(({ body }) => valueAt(JSON.parse(body) as Json, '/book/number'));
    expect(found).toEqual([2, 1, 3, 20]);
  });

  it('answers valid requests before it refuses the malformed bytes after them', async () => {
    const { answers, closed } = await converse(
      port,
      `GET ${list} HTTP/1.1\r\n${host}\r\nGET /books/2 HTTP/1.1\r\n${host}\r\nHELLO\r\n\r\n`,
      'closed',
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
    expect(closed).toBe(true);
  });

  it.each([
    ['a body with a length', 'Content-Length: 5\r\n\r\nhello'],
    ['a body in chunks', 'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n'],
    ['a large body', `Content-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`],
    ['a body that waits for leave', 'Expect: 100-continue\r\nContent-Length: 5\r\n\r\nhello'],
  ])('takes %s off the wire, so that the next request of the connection is understood', async (_, rest) => {
    for (const method of ['POST', 'GET']) {
      const bytes = `${method} ${list} HTTP/1.1\r\n${host}${rest}GET /books/2 HTTP/1.1\r\n${host}\r\n`;
      const waits = rest.startsWith('Expect') ? 1 : 0;
      const { answers } = await converse(port, bytes, 2 + waits);
      expect(answers.slice(waits).map(({ status }) => status)).toEqual([method === 'POST' ? 405 : 200, 200]);
    }
  });

  it('reports the status, the headers and the decoded body to the listener', async () => {
    for (const [target, method, fields] of [
      ['/books?size=2', 'GET', {}],
      ['/books?size=2', 'GET', { 'accept-encoding': 'gzip' }],
      ['/books/2', 'HEAD', {}],
      ['/books/9', 'GET', { 'accept-encoding': 'gzip' }],
      ['/books', 'OPTIONS', { origin: 'http://localhost:5173' }],
    ] as const) {
      const reply = await ask(mock, target, fields, method);
      const reported = mock.exchanges.at(-1);
      expect(reported?.request).toMatchObject({ method, target, headers: fields });
      expect(reported?.response.status).toBe(reply.status);
      expect(reply.headers).toMatchObject(reported?.response.headers ?? {});
      const sent = reply.headers['content-encoding'] === 'gzip' ? gunzipSync(reply.bytes) : reply.bytes;
      expect(reported?.response.body).toBe(sent.toString());
      expect(reply.headers['access-control-allow-origin']).toBe('origin' in fields ? fields.origin : '*');
    }
  });

  it('ignores headers for other servers', async () => {
    const plain = await ask(mock, list);
    for (const fields of [
      { range: 'bytes=0-3' },
      { 'if-match': '"x"' },
      { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' },
      { 'accept-language': 'de', 'accept-charset': 'iso-8859-1', te: 'trailers' },
      { cookie: 'a=b; ;=; =c; x', 'content-type': 'text/plain' },
    ]) {
      expect(await ask(mock, list, fields)).toMatchObject({ status: 200, text: plain.text });
    }
  });

  it('survives clients that disconnect at any time', async () => {
    const beginnings = [`GET ${list} HTTP/1.1\r\n${host}\r\n`, 'GET /boo', `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`, 'HELLO\r\n\r\n', ''];
    const bytes = [...beginnings, ...beginnings.map((each) => `GET ${list} HTTP/1.1\r\n${host}\r\n${each}`)];
    for (const each of bytes) {
      const socket = await open(port, each);
      socket.resetAndDestroy();
    }
    for (const each of bytes) {
      const socket = connect(port, '127.0.0.1', () => socket.end(each));
      socket.on('error', () => undefined);
      await new Promise((resolve) => socket.on('close', resolve).resume());
    }
    await stillAnswers();
  });
});

describe('a port', () => {
  it('in use is refused with advice', async () => {
    await using mock = await startJudgedMock({ contracts: [fixture('library')] });
    await expect(startJudgedMock({ contracts: [fixture('library')], port: mock.port })).rejects.toThrow(
      `port ${mock.port} of 127.0.0.1 is taken; stop the process that listens there, use another port, or use port 0 for any free port`,
    );
  });

  it('in use leads to the next free port from a number on', async () => {
    await using first = await startJudgedMock({ contracts: [fixture('library')] });
    await using second = await startJudgedMock({ contracts: [fixture('library')], port: { from: first.port } });
    expect(second.port).toBeGreaterThan(first.port);
    expect(second.port).toBeLessThan(first.port + 100);
  });

  it.each([-1, 65_536, 1.5, Number.NaN])('%d is refused as an invalid argument', async (port) => {
    await expect(startJudgedMock({ contracts: [fixture('library')], port })).rejects.toMatchObject({ name: 'UsageError' });
  });

  it('needs an address of this machine', async () => {
    const starting = startJudgedMock({ contracts: [fixture('library')], host: '203.0.113.7' });
    await expect(starting).rejects.toMatchObject({ name: 'UsageError', message: expect.stringContaining('203.0.113.7') });
  });
});
