/** The HTTP client of the scenarios: sends requests, decompresses responses and keeps their bytes. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { type WrittenAnswer, withServer } from '../../scenario/handwritten-server.ts';
import { sendRequest } from '../../scenario/scenario-http.ts';

/** The answer of a server that always answers the same. */
const answerOf = (written: WrittenAnswer): ReturnType<typeof sendRequest> =>
  withServer(
    () => written,
    (baseUrl) => sendRequest({ baseUrl, method: 'GET', path: '/', headers: {} }),
  );

test('a compressed answer is read, and its bytes are kept', async () => {
  const raw = gzipSync('{"a":1}');
  const answer = await answerOf({ headers: { 'Content-Encoding': 'gzip' }, body: raw });
  expect(answer).toMatchObject({ status: 200, text: '{"a":1}', json: { a: 1 } });
  expect(answer.raw.equals(raw)).toBe(true);
});

test('an answer that says gzip and is not is an error, unless it has no body', async () => {
  const empty = await answerOf({ status: 304, headers: { 'Content-Encoding': 'gzip' } });
  expect(empty).toMatchObject({ status: 304, text: '', json: undefined });
  await expect(answerOf({ headers: { 'Content-Encoding': 'gzip' }, body: 'plain' })).rejects.toThrow('incorrect header check');
});

test('a repeated header is joined, and a body that is not JSON stays a text', async () => {
  const answer = await answerOf({ headers: { Vary: ['Origin', 'Accept-Encoding'] }, body: '<html>' });
  expect(answer).toMatchObject({ headers: { vary: 'Origin, Accept-Encoding' }, text: '<html>', json: undefined });
});

test('a base address may have a path of its own', async () => {
  const answer = await withServer(
    ({ path }) => ({ body: { path } }),
    (baseUrl) => sendRequest({ method: 'GET', headers: {}, baseUrl: `${baseUrl}/behind/`, path: '/a?b=%zz' }),
  );
  expect(answer.json).toEqual({ path: '/behind/a?b=%zz' });
});
