/** Well-formed requests that are costly: long, deep, numerous, far away in time, or with forged cursors. */

import { hash } from 'node:crypto';
import { business, wiki } from '../request-targets.ts';
import { get, type Hostile, sentinel } from './hostile-requests.ts';

const host = 'Host: localhost\r\n';

/** Query strings of up to 64 kB, by their long part. */
const queries: readonly (readonly [title: string, query: string])[] = [
  ['60,000 broken escapes', '%'.repeat(60_000)],
  ['a value of 30,000 broken escapes', `q=${'%'.repeat(30_000)}`],
  ['64,000 commas', `status=${','.repeat(64_000)}`],
  ['a long list', `status=${'pending,'.repeat(7000)}`],
  ['30,000 names', 'a&'.repeat(30_000)],
  ['9,000 different names', Array.from({ length: 9000 }, (_, index) => `p${index}=1`).join('&')],
  ['a name 7,500 times', 'limit=1&'.repeat(7500)],
  ['deep brackets', `status${'[a]'.repeat(18_000)}=1`],
  ['a long cursor', `cursor=${'a'.repeat(60_000)}`],
  ['a long number', `limit=${'9'.repeat(60_000)}`],
  ['a long fraction of a second', `updated_after=2026-01-01T00:00:00.${'9'.repeat(60_000)}Z`],
  ['a long search', `q=${'a'.repeat(60_000)}`],
  ['a search of many words', `q=${'a+'.repeat(30_000)}`],
  ['a search of accents', `q=${'%CC%81'.repeat(10_000)}`],
  ['a search of ligatures', `q=${'%EF%B7%BA'.repeat(6500)}`],
];

/** Header lines of up to 64 kB. */
const headers: readonly (readonly [title: string, line: string])[] = [
  ['long preferences', `Prefer: ${'a='.repeat(30_000)}`],
  ['many preferences', `Prefer: ${'code=200, '.repeat(6000)}`],
  ['a preference after spaces', `Prefer: a${' '.repeat(60_000)}x`],
  ['many entity tags', `If-None-Match: ${'"a", '.repeat(12_000)}`],
  ['quotes', `If-None-Match: ${'"'.repeat(60_000)}`],
  ['commas', `If-None-Match: W/${' ,'.repeat(30_000)}`],
  ['many media types', `Accept: ${'a/b;q=0.1,'.repeat(6000)}`],
  ['a media type of many parameters', `Accept: a/b${';a=b'.repeat(15_000)}`],
  ['many codings', `Accept-Encoding: ${'br;q=0.5,'.repeat(6000)}`],
  ['a coding after spaces', `Accept-Encoding: a${' '.repeat(60_000)};q=1`],
  ['a token after spaces', `Authorization: Bearer ${' '.repeat(60_000)}x`],
  ['cookies', `Cookie: ${'a=b; '.repeat(12_000)}`],
  ['10,000 lines', 'a: b\r\n'.repeat(10_000).trimEnd()],
  ['5,000 different lines', Array.from({ length: 5000 }, (_, index) => `h${index}: b`).join('\r\n')],
];

/** Costly requests at each list and each kind of read. Each one that moves the clock uses another period. `key` is a key of the mock. */
export function longRequests(key: string, seed: number): Readonly<Record<string, readonly Hostile[]>> {
  const ask = (title: string, target: string, lines = ''): Hostile => ({
    title: `${title} at ${target.split('?')[0]}`,
    parts: [get(target, `X-SERVICE-API-Key: ${key}\r\n${lines}`), sentinel],
  });
  const paths = [business.orders, business.order, business.reservations, business.menu, wiki, `${wiki}/none`];
  const lists = [`${business.orders}?limit=100`, `${business.reservations}?limit=100`, wiki];
  const periods = Array.from({ length: 99 }, (_, index) => `${String(1 + index * 101).padStart(4, '0')}-06-15T12:00:00Z`);
  return {
    queries: paths.flatMap((path) => queries.map(([title, query]) => ask(title, `${path}?${query}`))),
    headers: paths.flatMap((path) => headers.map(([title, line]) => ask(title, path, `${line}\r\n`))),
    periods: periods.map((period, index) => ask(`the period ${period}`, lists[index % lists.length] ?? wiki, `Mock-Clock: ${period}\r\n`)),
    cursors: forgedCursors(seed).map(([title, cursor]) => ask(`a cursor with ${title}`, `${business.orders}?limit=100&cursor=${cursor}`)),
    'control bodies': controlBodies.map(([path, body]) => ({
      title: `${body.slice(0, 20)} at ${path}`,
      parts: [`POST /__mock/${path} HTTP/1.1\r\n${host}Content-Length: ${body.length}\r\n\r\n${body}`, sentinel],
      expected: [[400, 404]],
    })),
  };
}

/** Cursors with a valid signature and a content that the mock never issues. */
function forgedCursors(seed: number): readonly (readonly [title: string, cursor: string])[] {
  const [operation, tenant, position] = ['listOrders', 'full', ['2026-03-29T17:46:34+02:00', 11_459]] as const;
  const fixed = { updated_after: null, status: null, channel: null };
  const contents: Readonly<Record<string, unknown>> = {
    'a place that is there': [operation, tenant, position, fixed],
    'no place': [operation, tenant, null, fixed],
    'texts for a place': [operation, tenant, ['x', 'y'], fixed],
    'a long place': [operation, tenant, ['9'.repeat(30_000), 1], fixed],
    'a place of 10,000 parts': [operation, tenant, Array(10_000).fill(1), fixed],
    'an empty place': [operation, tenant, [], fixed],
    'a place of nulls': [operation, tenant, [null, null], fixed],
    'a place beyond all numbers': [operation, tenant, [position[0], 1e308], fixed],
    'a place in the year 1': [operation, tenant, ['0001-01-01T00:00:00Z', 1], fixed],
    'a place in the year 9999': [operation, tenant, ['9999-12-31T00:00:00Z', 1], fixed],
    'a place the wrong way round': [operation, tenant, [1, position[0]], fixed],
    'an unknown filter': [operation, tenant, position, { ...fixed, x: 1 }],
    '3,000 filters': [operation, tenant, position, Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`p${index}`, 1]))],
    'another operation': ['listReservations', tenant, position, fixed],
    'another tenant': [operation, 'nobody', position, fixed],
    'a prototype': [operation, '__proto__', position, JSON.parse('{"__proto__":1}')],
    'no list': {},
    nothing: null,
  };
  return Object.entries(contents).map(([title, content]) => {
    const payload = Buffer.from(JSON.stringify(content)).toString('base64url');
    return [title, `${payload}.${hash('sha256', `cursor ${seed} business ${payload}`, 'base64url').slice(0, 20)}`];
  });
}

const controlBodies: readonly (readonly [path: string, body: string])[] = ['clock', 'chaos'].flatMap((path) =>
  [
    '['.repeat(60_000),
    `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    '{"set":'.repeat(9000),
    `{"set":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
    JSON.stringify({ add: Array(6000).fill('boom') }),
    JSON.stringify({ add: Array(3).fill('latency '.repeat(2000)) }),
  ].map((body) => [path, body] as const),
);

/** Bodies for the operation of `letters.openapi.yaml`, up to the size limit of the mock. */
export function letters(): readonly Hostile[] {
  const most = 512 * 1024 - 100;
  const bodies: readonly (readonly [title: string, body: string, type?: string])[] = [
    ['nothing', ''],
    ['a text of 512 KiB', JSON.stringify({ a: 'x'.repeat(most - 20) })],
    ['250,000 equal labels', `{"labels":[${'1,'.repeat(most / 2 - 20)}1]}`],
    ['70,000 labels', JSON.stringify({ labels: Array.from({ length: 70_000 }, (_, index) => index) })],
    ['30,000 labels that are objects', JSON.stringify({ labels: Array.from({ length: 30_000 }, (_, index) => ({ index })) })],
    ['70,000 wrong pages', JSON.stringify({ pages: Array(70_000).fill('a!') })],
    ['40,000 members', JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [`k${index}`, 1])))],
    ['a member 85,000 times', `{${'"a":1,'.repeat(most / 6 - 10)}"a":2}`],
    ['a text for a slow pattern', JSON.stringify({ pages: [`${'a'.repeat(most - 50)}!`] })],
    ['a text for a pattern that looks around', JSON.stringify({ code: `${'a'.repeat(40)}!` })],
    ['100 levels', `${'{"a":'.repeat(100)}1${'}'.repeat(100)}`],
    ['5,000 levels', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['500,000 brackets', '['.repeat(500_000)],
    ['a number of 500,000 digits', `{"price":${'1'.repeat(500_000)}}`],
    ['a tiny number', '{"price":1e-400}'],
    ['a prototype', '{"__proto__":{"polluted":true}}'],
    ['spaces', `${' '.repeat(most)}{}`],
    ['no JSON', `{${' '.repeat(most)}`],
    ['a text', 'x'.repeat(most), 'text/plain'],
    ['a form of pairs', 'a=1&'.repeat(most / 4 - 5), 'application/x-www-form-urlencoded'],
    ['a form of broken escapes', '%'.repeat(most), 'application/x-www-form-urlencoded'],
    ['an unknown type', '1', `a/b${';a=b'.repeat(15_000)}`],
    ['too much', 'x'.repeat(2 * most)],
  ];
  return bodies.map(([title, body, type = 'application/json']) => ({
    title,
    parts: [`POST /letters HTTP/1.1\r\n${host}Content-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`, body, sentinel],
  }));
}
