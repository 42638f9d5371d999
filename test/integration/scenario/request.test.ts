/** The HTTP client of the scenarios: it sends what it is told, decompresses what came, and keeps the bytes. */
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { request } from '../../scenario/request.ts';
import { withServer } from '../../scenario/stage.ts';

const get = { method: 'GET', path: '/', headers: {} };

test('a compressed answer is read, and its bytes are kept', async () => {
  const raw = gzipSync('{"a":1}');
  const answer = await withServer(
    () => ({ headers: { 'Content-Encoding': 'gzip' }, body: raw }),
    (baseUrl) => request({ baseUrl, ...get }),
  );
  expect(answer).toMatchObject({ status: 200, text: '{"a":1}', json: { a: 1 } });
  expect(answer.raw.equals(raw)).toBe(true);
});

test('an answer without a body may name an encoding', async () => {
  const answer = await withServer(
    () => ({ status: 304, headers: { 'Content-Encoding': 'gzip' } }),
    (baseUrl) => request({ baseUrl, ...get }),
  );
  expect(answer).toMatchObject({ status: 304, text: '', json: undefined });
});

test('an answer that says gzip and is not is an error', async () => {
  const answer = withServer(
    () => ({ headers: { 'Content-Encoding': 'gzip' }, body: 'plain' }),
    (baseUrl) => request({ baseUrl, ...get }),
  );
  await expect(answer).rejects.toThrow('incorrect header check');
});

test('a repeated header is joined, and a body that is not JSON stays a text', async () => {
  const answer = await withServer(
    () => ({ headers: { Vary: ['Origin', 'Accept-Encoding'] }, body: '<html>' }),
    (baseUrl) => request({ baseUrl, ...get }),
  );
  expect(answer).toMatchObject({ headers: { vary: 'Origin, Accept-Encoding' }, text: '<html>', json: undefined });
});

test('a base address may have a path of its own', async () => {
  const answer = await withServer(
    ({ path }) => ({ body: { path } }),
    (baseUrl) => request({ ...get, baseUrl: `${baseUrl}/behind/`, path: '/a?b=%zz' }),
  );
  expect(answer.json).toEqual({ path: '/behind/a?b=%zz' });
});
