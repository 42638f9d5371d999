/** Table of hostile requests, each with the statuses of all answers that its connection may give, in order. */

import { business, wiki } from '../request-targets.ts';

/** The last request of a connection. It has an unknown path, and asks for the end of the connection. */
export const sentinel = 'GET /sentinel HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

/** The bytes of a connection, and the allowed answers. */
export interface Hostile {
  readonly title: string;
  /** Parts of the bytes, written one after the other. */
  readonly parts: readonly (string | Buffer)[];
  /** The allowed sequences of statuses; an empty sequence is a close without an answer. By default, any documented answers. */
  readonly expected?: readonly (readonly number[])[];
}

/** A request and the sentinel after it. Both are answered: the connection must stay usable. */
function answered(title: string, request: string | Buffer, ...statuses: readonly number[]): Hostile {
  return { title, parts: [request, sentinel], expected: statuses.map((status) => [status, 404]) };
}

/** A request and the sentinel after it. The request is refused, and the connection ends before the sentinel. */
function refused(title: string, request: string | Buffer, ...statuses: readonly number[]): Hostile {
  return { title, parts: [request, sentinel], expected: statuses.map((status) => [status]) };
}

const host = 'Host: localhost\r\n';

/** A GET request with further header lines. */
export function get(target: string, lines = ''): string {
  return `GET ${target} HTTP/1.1\r\n${host}${lines}\r\n`;
}

/** A valid request, for tests of the bytes around it. */
const fine = `${wiki}?limit=1`;

/** Bytes that are no well-formed request: refused with 400, and no byte after them is read as a request. */
const malformed: readonly Hostile[] = [
  ...(
    [
      ['random bytes', Buffer.from('9f3a00ff17c2e4d10b7e0d0a0d0a', 'hex')],
      ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
      ['the beginning of TLS', Buffer.from('16030102000100', 'hex')],
      ['a request of SSH', 'SSH-2.0-OpenSSH_9.2\r\n'],
      ['a request of SMTP', 'EHLO localhost\r\n'],
      ['a request of HTTP/0.9', `GET ${fine}\r\n\r\n`],
      ['HTTP/1.2', `GET ${fine} HTTP/1.2\r\n${host}\r\n`],
      ['HTTP/2.0', `GET ${fine} HTTP/2.0\r\n${host}\r\n`],
      ['HTTP/1.', `GET ${fine} HTTP/1.\r\n${host}\r\n`],
      ['HTTP/-1.1', `GET ${fine} HTTP/-1.1\r\n${host}\r\n`],
      ['HTTP/11.1', `GET ${fine} HTTP/11.1\r\n${host}\r\n`],
      ['http/1.1', `GET ${fine} http/1.1\r\n${host}\r\n`],
      ['HTTPS/1.1', `GET ${fine} HTTPS/1.1\r\n${host}\r\n`],
      ['no target', `GET HTTP/1.1\r\n${host}\r\n`],
      ['a target without a slash', `GET api/v1/wiki HTTP/1.1\r\n${host}\r\n`],
      ['a NUL in the target', `GET ${wiki}/a\0b HTTP/1.1\r\n${host}\r\n`],
      ['bad UTF-8 in the target', Buffer.from(`GET ${wiki}/\xc3\x28 HTTP/1.1\r\n${host}\r\n`, 'latin1')],
      ['raw UTF-8 in the target', Buffer.from(`GET ${wiki}?q=Trüffel HTTP/1.1\r\n${host}\r\n`)],
      ['a tab in the target', `GET ${wiki}?q=a\tb HTTP/1.1\r\n${host}\r\n`],
      ['an unknown method', `STEAL ${fine} HTTP/1.1\r\n${host}\r\n`],
      ['a method with a NUL', `GE\0T ${fine} HTTP/1.1\r\n${host}\r\n`],
      ['a very long method', `${'A'.repeat(60_000)} ${fine} HTTP/1.1\r\n${host}\r\n`],
      ['a method of emoji', Buffer.from(`🍝 ${fine} HTTP/1.1\r\n${host}\r\n`)],
      ['a NUL in a header', get(fine, 'X-Note: a\0b\r\n')],
      ['a bare CR in a header', get(fine, 'X-Note: a\rb\r\n')],
      ['a control character in a header', get(fine, 'X-Note: a\x01b\r\n')],
      ['a header name with a space before the colon', get(fine, 'X-Note : a\r\n')],
      ['a header without a name', get(fine, ': a\r\n')],
      ['a header name in UTF-8', Buffer.from(get(fine, 'X-Nöte: a\r\n'))],
      ['a folded line as the first header', `GET ${fine} HTTP/1.1\r\n folded: a\r\n${host}\r\n`],
      ['a length below zero', get(fine, 'Content-Length: -1\r\n')],
      ['a length with a sign', get(fine, 'Content-Length: +5\r\n')],
      ['a length in hex', get(fine, 'Content-Length: 0x5\r\n')],
      ['a length with a fraction', get(fine, 'Content-Length: 5.0\r\n')],
      ['a length of two numbers', get(fine, 'Content-Length: 5, 5\r\n')],
      ['a length beyond 64 bits', get(fine, `Content-Length: ${'9'.repeat(40)}\r\n`)],
      ['two different lengths', get(fine, 'Content-Length: 5\r\nContent-Length: 6\r\n')],
      ['a length and chunks', get(fine, 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n')],
      ['chunks and a length', get(fine, 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n')],
      ['a coding after chunked', get(fine, 'Transfer-Encoding: chunked, gzip\r\n')],
      ['a space before the colon of a coding', get(fine, 'Transfer-Encoding : chunked\r\n')],
    ] as const
  ).map(([title, bytes]) => refused(title, bytes, 400)),
  refused('an empty target', `GET  HTTP/1.1\r\n${host}\r\n`, 400),
  ...[
    ['', 'no Host'],
    ['Host: a\r\nHost: b\r\n', 'two hosts'],
    ['Host: a\r\nhost: a\r\n', 'a host twice'],
    ['Host: a, b\r\n', 'two hosts in one'],
    ['Host: a b\r\n', 'a host with a space'],
    ['Host: http://a/\r\n', 'a URL as host'],
    ['Host: user@a\r\n', 'a user at a host'],
    ['Host: a\\b\r\n', 'a backslash in a host'],
    [`Host: ${'\xe9'}\r\n`, 'a host in Latin-1'],
  ].map(([lines = '', title = '']) => refused(title, `GET ${fine} HTTP/1.1\r\n${lines}\r\n`, 400)),
];

const chunkedTo = (path: string): string => `POST ${path} HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n`;

/** Bodies at operations without a body. A body is ignored or ends the connection, but is never read as another request. */
const bodies: readonly Hostile[] = [
  ...(
    [
      ['that is no number', 'zz\r\nhello\r\n0\r\n\r\n'],
      ['below zero', '-5\r\nhello\r\n0\r\n\r\n'],
      ['in the style of C', '0x5\r\nhello\r\n0\r\n\r\n'],
      ['beyond 64 bits', `${'f'.repeat(17)}\r\nhello\r\n0\r\n\r\n`],
      ['smaller than its chunk', '4\r\nhello\r\n0\r\n\r\n'],
      ['with a bare LF', '5\nhello\r\n0\r\n\r\n'],
    ] as const
  ).map(([title, rest]) => refusedLate(`a chunk size ${title}`, chunkedTo(fine) + rest)),
  refusedLate('chunk extensions without an end', `${chunkedTo(fine)}5;${'a'.repeat(20_000)}\r\nhello\r\n0\r\n\r\n`, 413),
  answered('a chunk with an extension', `${chunkedTo(fine)}5;a=b\r\nhello\r\n0\r\n\r\n`, 405),
  answered('trailers', `${chunkedTo(fine)}5\r\nhello\r\n0\r\nHost: evil\r\nX-SERVICE-API-Key: evil\r\n\r\n`, 405),
  answered('a request in a body', get(fine, 'Content-Length: 33\r\n') + 'GET /smuggled HTTP/1.1\r\nHost: x\r\n'.slice(0, 33), 200),
  answered('a body on GET', `${get(fine, 'Content-Length: 5\r\nContent-Type: application/json\r\n')}[1,2]`, 200),
  answered('a large body on GET', get(fine, 'Content-Length: 2000000\r\n') + 'x'.repeat(2_000_000), 200),
  answered('a body on DELETE', `DELETE ${fine} HTTP/1.1\r\n${host}Content-Length: 5\r\n\r\nhello`, 405),
  answered('an expectation', get(fine, 'Expect: the-unexpected\r\n'), 200),
  alone(
    'an upgrade to HTTP/2',
    get(fine, 'Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAAB\r\n'),
    200,
  ),
  refused('a request behind an upgrade', get(fine, 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'), 200),
  alone('an upgrade to a socket', get(fine, 'Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'), 200),
  { title: 'an unknown transfer coding', parts: [get(fine, 'Transfer-Encoding: gibberish\r\n'), sentinel], expected: [[200, 400], [400]] },
];

/** A request that asks for the end of the connection, so its answer is the last. */
function alone(title: string, request: string, ...statuses: readonly number[]): Hostile {
  return { title, parts: [request], expected: [statuses] };
}

/** A request whose head is answered before its body turns out to be malformed. Then the connection ends. */
function refusedLate(title: string, bytes: string, status = 400): Hostile {
  return { title, parts: [bytes, sentinel], expected: [[405, status], [status]] };
}

/** Requests that stop in the middle. They end with 408 after the time limit, or with an earlier answer. */
const unfinished: readonly Hostile[] = [
  { title: 'nothing at all', parts: [''], expected: [[], [408]] },
  { title: 'half a request line', parts: ['GET /api'], expected: [[408]] },
  { title: 'half a header', parts: [`GET ${fine} HTTP/1.1\r\nHost: loc`], expected: [[408]] },
  { title: 'no empty line', parts: [`GET ${fine} HTTP/1.1\r\n${host}`], expected: [[408]] },
  { title: 'half a body', parts: [`${get(fine, 'Content-Length: 5000\r\n')}x`], expected: [[200], [200, 408]] },
  { title: 'half a chunk', parts: [`${chunkedTo(fine)}5\r\nhe`], expected: [[405], [405, 408]] },
  {
    title: 'a body that leave was given for',
    parts: [get(fine, 'Expect: 100-continue\r\nContent-Length: 5\r\n')],
    expected: [
      [100, 200],
      [100, 200, 408],
    ],
  },
  { title: 'half a request behind a whole one', parts: [`${get(fine)}GET /api`], expected: [[200], [200, 408]] },
];

/** Several requests at once on a connection. */
const pipelined: readonly Hostile[] = [
  {
    title: 'fifty requests at once',
    parts: [get(fine).repeat(50), sentinel],
    expected: [[...Array.from({ length: 50 }, () => 200), 404]],
  },
  { title: 'a bad one between good ones', parts: [get(fine), 'GET / HTTP/9.9\r\n\r\n', get(fine), sentinel], expected: [[200, 400]] },
  { title: 'a lost one between good ones', parts: [get(fine), get('/nowhere'), get(fine), sentinel], expected: [[200, 404, 200, 404]] },
  { title: 'one after the connection was to end', parts: [sentinel, get(fine)], expected: [[404]] },
  { title: 'empty lines between requests', parts: [get(fine), '\r\n\r\n', get(fine), sentinel], expected: [[200, 200, 404]] },
  { title: 'a tunnel between requests', parts: [get(fine), `CONNECT x:1 HTTP/1.1\r\n${host}\r\n`, sentinel], expected: [[200, 405]] },
];

/** Request targets in every form, and unknown names. */
const targets: readonly Hostile[] = [
  ...(
    [
      ['*', 404],
      ['//', 404],
      ['///etc/passwd', 404],
      ['/../../etc/passwd', 404],
      ['/%2e%2e/%2e%2e/etc/passwd', 404],
      [`${wiki}/..%2f..%2fsecret`, 404],
      [`${wiki}/%2e%2e`, 404],
      [`${wiki}//`, 404],
      [`${wiki}/`, 404],
      [`${wiki};v=1`, 404],
      [`${wiki}/a/b`, 404],
      [`${wiki}/%00`, 404],
      [`${wiki}/%`, 400],
      [`${wiki}/%C3%28`, 400],
      [`${wiki}/%ED%A0%80`, 400],
      [`${wiki}/${'a'.repeat(60_000)}`, 404],
      [`/${'a/'.repeat(30_000)}`, 404],
      [`/${'%2F'.repeat(20_000)}`, 404],
      [`${wiki}?${'&'.repeat(60_000)}`, 200],
      [`${wiki}?${'a&'.repeat(30_000)}`, 400],
      [`${wiki}?${'='.repeat(60_000)}`, 200],
      [`${wiki}?${'%'.repeat(60_000)}`, 200],
      [`${wiki}?${'?'.repeat(60_000)}`, 200],
      [`${wiki}?q=${'%F0%9F%8D%9D'.repeat(4500)}`, 200],
      [`${wiki}?q=${'a'.repeat(60_000)}`, 200],
      [`${wiki}?${'limit=1&'.repeat(7000)}`, 400],
      [`${wiki}?${Array.from({ length: 6000 }, (_, index) => `p${index}=1`).join('&')}`, 400],
      [`${wiki}?limit[]=1&limit[0]=2&limit[a][b]=3`, 200],
      [`${wiki}?__proto__[x]=1&constructor[prototype][x]=1&__proto__=1`, 200],
      ['http://evil.example/api/v1/wiki?limit=1', 200],
      ['HTTPS://[::1]:99999/api/v1/wiki?limit=1', 200],
      ['http://user:password@evil.example/api/v1/wiki?limit=1', 200],
      ['http://', 404],
      ['http:///', 404],
      ['file:///etc/passwd', 404],
      ['/api/v1/wiki#/../../x', 200],
      ['/__proto__/constructor', 404],
      [business.orders, 401],
      [`${business.order}?id=${'9'.repeat(60_000)}`, 401],
    ] as const
  ).map(([target, status]) => answered(`GET ${target.slice(0, 60)}`, get(target), status)),
  refused('a target without a path', `GET evil.example:80 HTTP/1.1\r\n${host}\r\n`, 400),
  refused('a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${host}\r\n`, 405),
  refused('a target of 70 KB', get(`/${'a'.repeat(70_000)}`), 431),
  refused('a header of 70 KB', get(fine, `X-Long: ${'a'.repeat(70_000)}\r\n`), 431),
  refused('a header name of 70 KB', get(fine, `${'a'.repeat(70_000)}: b\r\n`), 431),
  answered('20,000 headers of a letter', get(fine, 'a: b\r\n'.repeat(20_000)), 200),
  refused('50,000 headers of a letter', get(fine, 'a: b\r\n'.repeat(50_000)), 431),
];

/** A POST request with a body, as JSON by default. */
function post(path: string, body: string, lines = ''): string {
  return `POST /__mock/${path} HTTP/1.1\r\n${host}${lines}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
}

const clockBodies: readonly (readonly [title: string, body: string])[] = [
  ['nothing', ''],
  ['no JSON', '{'],
  ['a number', '1'],
  ['null', 'null'],
  ['a list', '[]'],
  ['a text', '"PT1H"'],
  ['a byte order mark alone', '\xef\xbb\xbf'],
  ['a duration that is none', '{"advance":"1 hour"}'],
  ['a duration beyond all years', `{"advance":"P${'9'.repeat(300)}Y"}`],
  ['an instant beyond all years', '{"set":"999999-01-01T00:00:00Z"}'],
  ['a pace beyond all numbers', '{"pace":1e999}'],
  ['a pace below zero', '{"pace":-1}'],
  ['two changes at once', '{"advance":"PT1H","set":"2026-01-01T00:00:00Z"}'],
  ['an unknown member', '{"polluted":true}'],
  ['a prototype', '{"__proto__":{"polluted":true}}'],
  ['brackets without an end', '['.repeat(60_000)],
  ['a member of another type', '{"advance":{"toString":"PT1H"}}'],
];

/** Requests to `/__mock/`. */
const control: readonly Hostile[] = [
  ...clockBodies.map(([title, body]) => answered(`to move its clock by ${title}`, post('clock', body), 400)),
  ...['{"add":["boom"]}', '{"set":[1]}', '{"add":[null]}', '{}', '{"set":[],"add":[]}', `{"add":["latency ${'9'.repeat(400)}ms"]}`].map(
    (body) => answered(`for the chaos ${body.slice(0, 30)}`, post('chaos', body), 400),
  ),
  ...[
    ['a path that is not there', '/__mock/nothing', 404],
    ['a path outside of it', '/__mock/../api/v1/wiki', 404],
    ['a prototype', '/__mock/__proto__', 404],
    ['an entry without a number', '/__mock/journal/x', 400],
    ['an entry that is not there', '/__mock/journal/99999999999999999999', 404],
    ['bad UTF-8', '/__mock/%ff', 404],
    ['a journal after nothing', '/__mock/journal?after=x', 400],
    ['a journal of minus one', '/__mock/journal?limit=-1', 400],
  ].map(([title, target, status]) => {
    const allowed = status === 404 ? [404, 400] : [400, 404];
    return answered(`for ${title}`, get(String(target)), ...allowed);
  }),
  answered('by a foreign page', post('clock', '{"advance":"PT1H"}', 'Origin: https://evil.example\r\n'), 403),
  answered('by a page without an origin', post('clock', '{"advance":"PT1H"}', 'Origin: null\r\n'), 403),
  refused('to move its clock by bytes that are not UTF-8', post('clock', '{"advance":"\xff"}'), 400),
  answered('to trace', `TRACE /__mock/clock HTTP/1.1\r\n${host}\r\n`, 405),
  answered('to patch', `PATCH /__mock/clock HTTP/1.1\r\n${host}Content-Length: 2\r\n\r\n{}`, 405),
  {
    title: 'with 70 kB of body',
    parts: [post('clock', `{"set":"${'a'.repeat(70_000)}"}`), sentinel],
    expected: [[413, 404], [413]],
  },
  {
    title: 'with a body of bad chunks',
    parts: [`POST /__mock/clock HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, sentinel],
    expected: [[400]],
  },
  {
    title: 'with half a body',
    parts: [`POST /__mock/clock HTTP/1.1\r\n${host}Content-Length: 50\r\n\r\n{"adv`],
    expected: [[408]],
  },
];

/** All hostile requests, by kind. */
export const hostileRequests: Readonly<Record<string, readonly Hostile[]>> = { malformed, bodies, pipelined, targets, unfinished, control };
