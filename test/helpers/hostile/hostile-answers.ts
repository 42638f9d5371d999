/** Table of hostile answers that a server can give. */

import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';

/** A request to a hostile server, with the answer of a correct mock. */
export interface AnswerContext {
  readonly outgoing: ServerResponse;
  readonly target: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The key that came with the request. */
  readonly key: string;
  /** Number of requests so far. */
  readonly count: number;
}

/** A hostile answer. */
export interface HostileAnswer {
  readonly title: string;
  readonly act: (turn: AnswerContext) => void;
  /** True if the operation cannot be judged. The report then shows it as blocked. */
  readonly blocks?: true;
}

const json = { 'content-type': 'application/json; charset=utf-8' };

function answer(
  { outgoing }: AnswerContext,
  status: number,
  headers: Readonly<Record<string, string | string[]>>,
  body: string | Buffer,
): void {
  outgoing.writeHead(status, headers).end(body);
}

/** Answers with changed content of the same type. */
function content(change: (body: string, turn: AnswerContext) => string | Buffer): HostileAnswer['act'] {
  return (turn) => answer(turn, turn.status, json, change(turn.body, turn));
}

/** Writes raw bytes, and ends the connection. */
function raw(bytes: (turn: AnswerContext) => string): HostileAnswer['act'] {
  return (turn) => void turn.outgoing.socket?.end(bytes(turn), 'latin1');
}

function redirect(status: number, to: (turn: AnswerContext) => string): HostileAnswer['act'] {
  return (turn) => answer(turn, status, { location: to(turn) }, '');
}

const unavailable = '{"ok":false,"error":{"code":"SERVICE_UNAVAILABLE","message":"Down.","request_id":"req_0"}}';

function retryAfter(value: string): HostileAnswer['act'] {
  return (turn) => answer(turn, 503, { ...json, 'retry-after': value }, unavailable);
}

/** Appends a suffix to every text of the body. */
function texts(suffix: string): HostileAnswer['act'] {
  return content((body) => body.replaceAll(/:"([^"]*)"/g, (_all, text: string) => `:"${text}${suffix}"`));
}

/** Repeats the records of a page. */
function repeated(times: number): HostileAnswer['act'] {
  return content((body) => body.replace(/\[(\{.*\})\]/s, (_all, records: string) => `[${Array(times).fill(records).join(',')}]`));
}

const hex = (text: string): string => Buffer.from(text).toString('hex');

/** The encodings in which a server may repeat a key. */
export const encodings: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => [...text].map((each) => `%${hex(each)}`).join(''),
  (text) => Buffer.from(text).toString('base64'),
  (text) => Buffer.from(`user:${text}`).toString('base64'),
  hex,
  (text) => [...text].map((each) => `\\u00${hex(each)}`).join(''),
];

/** All hostile answers, by kind. */
export const hostileAnswers: Readonly<Record<string, readonly HostileAnswer[]>> = {
  time: [
    { title: 'hangs', act: () => undefined, blocks: true },
    { title: 'is slow', act: (turn) => void setTimeout(() => answer(turn, turn.status, turn.headers, turn.body), 300) },
    {
      title: 'drips byte by byte',
      act: ({ outgoing, status, headers, body }) => {
        outgoing.writeHead(status, headers);
        let at = 0;
        const drip = setInterval(() => (at < body.length ? outgoing.write(body[at++] ?? '') : outgoing.end()), 20);
        outgoing.once('close', () => clearInterval(drip));
      },
      blocks: true,
    },
    {
      title: 'writes without an end',
      act: ({ outgoing }) => {
        outgoing.writeHead(200, json).write('{"data":[');
        const more = setInterval(() => outgoing.write('1,'.repeat(1000)), 10);
        outgoing.once('close', () => clearInterval(more));
      },
      blocks: true,
    },
  ],
  refusals: [
    { title: 'is 503', act: (turn) => answer(turn, 503, json, unavailable), blocks: true },
    ...['31536000', '-1', '1e3', 'soon', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT', ''].map(
      (value): HostileAnswer => ({ title: `is 503 with Retry-After ${value.slice(0, 40)}`, act: retryAfter(value), blocks: true }),
    ),
    { title: 'is 429 for a year', act: (turn) => answer(turn, 429, { ...json, 'retry-after': '31536000' }, unavailable), blocks: true },
    { title: 'is 200 and empty', act: (turn) => answer(turn, 200, json, '') },
    { title: 'is a login page', act: (turn) => answer(turn, 200, { 'content-type': 'text/html' }, '<html><form>Log in</form></html>') },
  ],
  redirects: [
    { title: 'redirects in a circle', act: redirect(302, ({ target }) => target) },
    { title: 'redirects further and further', act: redirect(302, ({ target, count }) => `${target.split('&n=')[0]}&n=${count}`) },
    { title: 'redirects to another port', act: redirect(301, ({ target }) => `http://127.0.0.1:1${target}`), blocks: true },
    { title: 'redirects to another host', act: redirect(307, ({ target }) => `http://evil.invalid${target}`), blocks: true },
    { title: 'redirects to the key', act: redirect(302, ({ key }) => `http://evil.invalid/?key=${key}`), blocks: true },
    { title: 'redirects nowhere', act: redirect(302, () => 'http://[::bad') },
  ],
  size: [
    { title: 'has 60 MB', act: content(() => `{"data":"${'x'.repeat(60_000_000)}"}`), blocks: true },
    { title: 'has a page of 20,000 records', act: repeated(200) },
    { title: 'is nested 100,000 deep', act: content(() => '['.repeat(100_000) + ']'.repeat(100_000)) },
    { title: 'has 90,000 members', act: content(() => `{${Array.from({ length: 90_000 }, (_, index) => `"k${index}":1`).join(',')}}`) },
    { title: 'has 90,000 wrong records', act: content((body) => body.replace(/\[\{.*\}\]/s, `[${'0,'.repeat(89_999)}0]`)) },
    { title: 'is nested 400 deep', act: content(() => `${'{"a":'.repeat(400)}1${'}'.repeat(400)}`) },
    {
      title: 'has 200,000 members',
      blocks: true,
      act: content(() => `{${Array.from({ length: 200_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
    },
    { title: 'has 1,000,000 wrong records', act: content((body) => body.replace(/\[\{.*\}\]/s, `[${'0,'.repeat(999_999)}0]`)) },
    { title: 'is a gzip bomb', act: (turn) => answer(turn, 200, { ...json, 'content-encoding': 'gzip' }, bomb()), blocks: true },
    {
      title: 'has headers of 200 kB',
      act: (turn) => answer(turn, turn.status, { ...json, 'x-long': 'a'.repeat(200_000) }, turn.body),
      blocks: true,
    },
    {
      title: 'has 5,000 headers',
      act: raw(({ body }) => `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(5000)}content-length: ${body.length}\r\n\r\n${body}`),
    },
  ],
  wire: [
    {
      title: 'has a length that is too long',
      act: raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length + 99}\r\n\r\n${body}`),
    },
    { title: 'has a length that is too short', act: raw(({ body }) => `HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n${body}`) },
    {
      title: 'is reset in its middle',
      act: ({ outgoing, body }) => {
        outgoing
          .writeHead(200, { ...json, 'content-length': body.length + 1 })
          .write(body.slice(0, 50), () => outgoing.socket?.resetAndDestroy());
      },
    },
    { title: 'is no gzip', act: (turn) => answer(turn, 200, { ...json, 'content-encoding': 'gzip' }, 'no gzip') },
    {
      title: 'is half a gzip',
      act: (turn) => answer(turn, 200, { ...json, 'content-encoding': 'gzip' }, gzipSync(turn.body).subarray(0, 40)),
    },
    { title: 'has an unknown coding', act: (turn) => answer(turn, 200, { ...json, 'content-encoding': 'zstd, rot13' }, turn.body) },
    {
      title: 'has every header twice',
      act: (turn) => answer(turn, turn.status, { ...json, etag: ['"a"', '"b"'], 'retry-after': ['1', '2'] }, turn.body),
    },
    { title: 'has the status 999', act: raw(({ body }) => `HTTP/1.1 999 No\r\ncontent-length: ${body.length}\r\n\r\n${body}`) },
    { title: 'has the status 102 alone', act: raw(() => 'HTTP/1.1 102 Processing\r\n\r\n') },
    { title: 'has the status 099', act: raw(() => 'HTTP/1.1 099 No\r\ncontent-length: 0\r\n\r\n') },
    { title: 'is HTTP/1.0 without a length', act: raw(({ body }) => `HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${body}`) },
    { title: 'is no HTTP', act: raw(() => 'SSH-2.0-OpenSSH_9.2\r\n') },
    { title: 'closes at once', act: ({ outgoing }) => void outgoing.destroy() },
  ],
  content: [
    { title: 'has lone surrogates', act: texts('\\ud800') },
    { title: 'has a comma in its texts', act: texts(',\\"b') },
    {
      title: 'is not UTF-8',
      act: content((body) => Buffer.concat([Buffer.from(body.slice(0, -2)), Buffer.from([0xff, 0xc3, 0x28]), Buffer.from(body.slice(-2))])),
    },
    { title: 'has NUL bytes', act: content((body) => `\0${body}\0`) },
    { title: 'has escaped NULs', act: texts('\\u0000') },
    { title: 'has control characters', act: texts('\\u001b[31m\\u001b]0;owned\\u0007\\r\\u009b2J') },
    { title: 'has bidirectional overrides', act: texts('\\u202e\\u2066evil') },
    {
      title: 'has control characters in a header',
      act: raw(({ body }) => `HTTP/1.1 200 \x1b[31mOK\r\nx-a: \x1b]0;owned\x07\r\ncontent-length: ${body.length}\r\n\r\n${body}`),
    },
    {
      title: 'is the key in each encoding',
      act: (turn) =>
        answer(
          turn,
          turn.status,
          { ...json, 'x-echo': turn.key },
          JSON.stringify({ error: { message: encodings.map((encode) => encode(turn.key)) } }),
        ),
    },
    { title: 'has the key in its texts', act: (turn) => texts(encodings.map((encode) => encode(turn.key)).join(' '))(turn) },
    { title: 'has a byte order mark', act: content((body) => `\ufeff${body}`) },
    { title: 'has prototypes', act: content((body) => body.replace('{', '{"__proto__":{"polluted":true},"constructor":1,')) },
    { title: 'has huge numbers', act: content((body) => body.replaceAll(/:(\d+)/g, ':1e999')) },
  ],
  paging: [
    {
      title: 'has cursors that never end',
      act: content((body, { count }) =>
        body.replace(/"next_cursor":[^,}]*/, `"next_cursor":"c${count}"`).replace(/"has_more":\w+/, '"has_more":true'),
      ),
    },
    {
      title: 'has one cursor for ever',
      act: content((body) => body.replace(/"next_cursor":[^,}]*/, '"next_cursor":"c"').replace(/"has_more":\w+/, '"has_more":true')),
    },
    {
      title: 'counts pages from zero',
      act: content((body) => body.replace(/"page":(\d+)/, (_all, page: string) => `"page":${Number(page) - 1}`)),
    },
    { title: 'has a total beyond all pages', act: content((body) => body.replace(/"total":\d+/, '"total":9007199254740993')) },
  ],
};

let packed: Buffer | undefined;

/** 200 MB of zeros. */
function bomb(): Buffer {
  packed ??= gzipSync(Buffer.alloc(200_000_000));
  return packed;
}
