/** Hostile requests to the control endpoint of a mock, each with the statuses that may come of it. */

import { answered, get, type Hostile, refused } from './requests.ts';
import { sentinel } from './sending.ts';

const host = 'Host: localhost\r\n';

/** A request with a body of JSON, or of something else. */
function post(path: string, body: string, lines = ''): string {
  return `POST /__mock/${path} HTTP/1.1\r\n${host}${lines}Content-Length: ${Buffer.byteLength(body, 'latin1')}\r\n\r\n${body}`;
}

const bodies: readonly (readonly [title: string, body: string])[] = [
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
export const requestsToControl: readonly Hostile[] = [
  ...bodies.map(([title, body]) => answered(`to move its clock by ${title}`, post('clock', body), 400)),
  ...['{"add":["boom"]}', '{"set":[1]}', '{"add":[null]}', '{}', '{"set":[],"add":[]}', `{"add":["latency ${'9'.repeat(400)}ms"]}`].map(
    (body) => answered(`for the trouble ${body.slice(0, 30)}`, post('trouble', body), 400),
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
  refused('to move its clock by bytes that are no UTF-8', post('clock', '{"advance":"\xff"}'), 400),
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
