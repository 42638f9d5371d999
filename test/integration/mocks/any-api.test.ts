/** Contracts without code of their own: the mock serves them by their annotations and examples alone. */

import { afterAll, describe, expect, it } from 'vitest';
import { fixture, startJudgedMock } from '../../helpers/judged-mock.ts';
import { ask, type Reply } from '../../helpers/plain-client.ts';
import { recordsOf, target } from '../../helpers/request-targets.ts';

describe('a library with offsets, a total and no keys', async () => {
  const mock = await startJudgedMock({ contracts: [fixture('library')] });
  afterAll(() => mock.close());

  const get = (path: string): Promise<Reply> => ask(mock, path);
  const numbersOf = async (query: string): Promise<readonly unknown[]> =>
    recordsOf(await get(`/books?size=10&${query}`), '/found').map((book) => book['number']);

  it('needs no keys', () => {
    expect(mock.keys).toEqual({});
    expect(mock.hiddenRecords).toEqual([]);
    expect(mock.urls).toEqual({ library: mock.url });
  });

  it('lists by pages, the longest book first, and by title by code units where they are equal', async () => {
    expect(await numbersOf('')).toEqual([100, 20, 7, 2, 5, 4, 3, 12, 1, 6]);
    expect(await numbersOf('start=10')).toEqual([8, 11]);
  });

  it('comes in parts of five unless asked otherwise, with the sum and what stands beside the list', async () => {
    const reply = await get('/books');
    expect(reply.at()).toMatchObject({ outcome: 'done', library: 'Reading Room', sum: 12 });
    expect(recordsOf(reply, '/found')).toHaveLength(5);
    expect(reply.at('/found/0')).toEqual({ number: 100, title: 'Coast', author: { name: 'Ida Brandt' }, genre: 'travel', pages: 1200 });
  });

  it.each([1, 2, 3, 5, 7, 10])('falls into parts of %i that are the whole list', async (size) => {
    const starts = Array.from({ length: Math.ceil(12 / size) }, (_, index) => index * size);
    const parts = await Promise.all(starts.map((start) => get(`/books?size=${size}&start=${start}`)));
    expect(parts.flatMap((part) => recordsOf(part, '/found').map((book) => book['number']))).toEqual([
      100, 20, 7, 2, 5, 4, 3, 12, 1, 6, 8, 11,
    ]);
  });

  it('has empty parts behind its end', async () => {
    for (const start of [12, 13, 1_000_000]) {
      const reply = await get(`/books?start=${start}`);
      expect(reply.at('/found')).toEqual([]);
      expect(reply.at('/sum')).toBe(12);
    }
  });

  it('clamps the size, as this one parameter says, and refuses other values out of range', async () => {
    expect(recordsOf(await get('/books?size=99'), '/found')).toHaveLength(10);
    expect(recordsOf(await get('/books?size=0'), '/found')).toHaveLength(1);
    expect((await get('/books?start=-1')).status).toBe(400);
  });

  it('finds any of several genres, each in a parameter of its own, also one with a comma in it', async () => {
    expect(await numbersOf('genre=novel')).toEqual([20, 2, 5, 3]);
    expect(await numbersOf('genre=novel&genre=poetry')).toEqual([20, 2, 5, 3, 1, 8, 11]);
    expect(await numbersOf('genre=art%2C%20crafts')).toEqual([4, 12]);
    expect((await get('/books?genre=novel&genre=cooking')).status).toBe(400);
    expect((await get('/books?genre=novel,poetry')).status).toBe(400);
  });

  it('includes the lower bound of pages and excludes the upper one', async () => {
    expect(await numbersOf('pagesFrom=400')).toEqual([100, 20, 7, 2]);
    expect(await numbersOf('pagesFrom=401')).toEqual([100]);
    expect(await numbersOf('pagesBelow=90')).toEqual([6, 8, 11]);
    expect(await numbersOf('pagesBelow=91')).toEqual([3, 12, 1, 6, 8, 11]);
    expect(await numbersOf('pagesFrom=250&pagesBelow=251')).toEqual([4]);
    expect(await numbersOf('pagesFrom=251&pagesBelow=251')).toEqual([]);
    expect((await get('/books?pagesFrom=252&pagesBelow=251')).status).toBe(400);
  });

  it('finds text in title and name of the author, whatever its case', async () => {
    expect(await numbersOf('find=ash')).toEqual([3, 8]);
    expect(await numbersOf('find=IDA')).toEqual([100, 2, 3]);
    expect(await numbersOf(`find=${encodeURIComponent('ÖMER ç')}`)).toEqual([20, 1]);
    expect(await numbersOf('find=ash+and')).toEqual([8]);
    expect(await numbersOf('find=nothing')).toEqual([]);
    expect((await get('/books?find=a')).status).toBe(400);
  });

  it('wants all filters passed at once, and counts what passes them', async () => {
    const reply = await get('/books?genre=novel&genre=travel&pagesFrom=90&pagesBelow=1000&find=brandt&size=1');
    expect(recordsOf(reply, '/found').map((book) => book['number'])).toEqual([2]);
    expect(reply.at('/sum')).toBe(2);
  });

  it('shows more of a book alone, and the same as in the list', async () => {
    const alone = await get('/books/2');
    expect(alone.at()).toEqual({
      outcome: 'done',
      book: {
        number: 2,
        title: 'Harbour',
        author: { name: 'Ida Brandt' },
        genre: 'novel',
        pages: 400,
        due: '2026-04-01',
        blurb: 'A winter on the quay.',
      },
    });
    for (const book of recordsOf(await get('/books?size=10'), '/found')) {
      expect((await get(`/books/${String(book['number'])}`)).at('/book')).toMatchObject(book);
    }
  });

  it('says in its own words what it has not, and what it does not understand', async () => {
    expect((await get('/books/9')).at()).toEqual({ outcome: 'failed', fault: { reason: 'no-such-book', text: expect.any(String) } });
    for (const path of [
      '/books/x',
      '/books/0',
      '/books/%',
      '/books?size=many',
      '/books?unknown=1',
      '/books/2?unknown=1',
      '/opening-hours?x',
    ]) {
      expect([path, (await get(path)).status]).toEqual([path, 400]);
      expect((await get(path)).at('/fault/reason')).toBe('bad-question');
    }
    for (const path of ['/', '/book', '/books/', '/books/2/', '/Books', '/opening-hours/today']) {
      expect([path, (await get(path)).status]).toEqual([path, 404]);
    }
  });

  it('reads sloppy spellings, as its contract says', async () => {
    expect((await get('/books/002')).at('/book/number')).toBe(2);
    expect(await numbersOf('genre=NOVEL')).toEqual([20, 2, 5, 3]);
    expect(await numbersOf('start=%2B10')).toEqual([8, 11]);
  });

  it('has something that exists once', async () => {
    expect((await get('/opening-hours')).at()).toEqual({ weekdays: '10 to 18' });
  });

  it('answers HEAD as GET without the body (RFC 9110 §9.3.2)', async () => {
    for (const path of ['/books', '/books/9', '/books/2?x=1', '/nothing']) {
      const [head, whole] = [await ask(mock, path, {}, 'HEAD'), await get(path)];
      expect(head.bytes).toHaveLength(0);
      expect(head.status).toBe(whole.status);
      expect({ ...head.headers, date: '' }).toEqual({ ...whole.headers, date: '' });
      expect(head.headers['content-length']).toBe(String(whole.bytes.length));
    }
  });
});

describe('an open question of a file without content of its own', () => {
  it('is answered by the profile, and the records of the examples follow', async () => {
    await using mock = await startJudgedMock({ contracts: [fixture('library')], profile: { 'book-place': 'bare' } });
    expect((await ask(mock, '/books/2')).at()).toMatchObject({ outcome: 'done', number: 2, blurb: 'A winter on the quay.' });
    expect((await ask(mock, '/books/9')).status).toBe(404);
    expect((await ask(mock, '/books')).at('/sum')).toBe(12);
  });
});

describe('parcels with a key in the query and numbered pages', async () => {
  const mock = await startJudgedMock({ contracts: [fixture('parcels')] });
  afterAll(() => mock.close());

  const get = (path: string, query: Readonly<Record<string, string | number>>, role = 'full'): Promise<Reply> =>
    ask(mock, target(path, { ...query, access_key: mock.keys[role] ?? role }));
  const codesOf = (reply: Reply): readonly unknown[] => recordsOf(reply, '/parcels').map((parcel) => parcel['code']);

  it('has keys for both tenants, an expired one, and one without each scope', () => {
    expect(Object.keys(mock.keys)).toEqual(['full', 'other', 'expired', 'without:track', 'without:admin']);
  });

  it('lists by weight, ties by the key, in pages of two', async () => {
    const pages = await Promise.all([1, 2, 3, 4].map((page) => get('/v2/parcels', { page })));
    expect(pages.map(codesOf)).toEqual([['F6', 'C3'], ['D4', 'B/2'], ['A 1', 'G7'], ['E5']]);
    expect(pages.map((page) => page.at('/count'))).toEqual([7, 7, 7, 7]);
  });

  it('has no page past its end, caps a page at three, and ignores a size out of range', async () => {
    expect((await get('/v2/parcels', { page: 5 })).status).toBe(404);
    expect(codesOf(await get('/v2/parcels', { per_page: 50 }))).toHaveLength(3);
    expect(codesOf(await get('/v2/parcels', { per_page: 0 }))).toHaveLength(2);
  });

  it('is empty for an unknown state, and for a tenant that owns nothing', async () => {
    expect((await get('/v2/parcels', { state: 'lost' })).at()).toEqual({ parcels: [], count: 0 });
    expect((await get('/v2/parcels', {}, 'other')).at()).toEqual({ parcels: [], count: 0 });
    expect(codesOf(await get('/v2/parcels', { state: 'delivered' }))).toEqual(['C3', 'E5']);
  });

  it('takes the key out of the query, refuses other parameters, and looks at these first, as its precedence says', async () => {
    expect((await ask(mock, '/v2/parcels')).status).toBe(401);
    expect((await get('/v2/parcels', {}, 'wrong')).status).toBe(401);
    expect((await get('/v2/parcels', {}, 'expired')).status).toBe(401);
    expect((await get('/v2/parcels', {}, 'without:track')).status).toBe(403);
    expect((await ask(mock, '/v2/parcels?unknown=1')).status).toBe(400);
    expect((await get('/v2/parcels', { page: 'x' }, 'without:track')).status).toBe(400);
  });

  it('reads a key that a client encodes more than it needs to', async () => {
    const encoded = (mock.keys['full'] ?? '').replaceAll('_', '%5F');
    expect((await ask(mock, `/v2/parcels?%61ccess_key=${encoded}`)).status).toBe(200);
  });

  it('finds a parcel by a code that needs escaping', async () => {
    expect((await get('/v2/parcels/A%201', {})).at('/parcel')).toEqual({ code: 'A 1', weight: 10, state: 'waiting' });
    expect((await get('/v2/parcels/B%2F2', {})).at('/parcel/weight')).toBe(9.5);
    expect((await get('/v2/parcels/B/2', {})).status).toBe(404);
    expect((await get('/v2/parcels/C3', {}, 'other')).status).toBe(404);
    expect((await get('/v2/parcels/C3', {}, 'without:admin')).status).toBe(403);
  });

  it('tells its listener no key, wherever and however encoded it was sent', async () => {
    const key = mock.keys['full'] ?? '';
    await ask(mock, `/v2/parcels?access_key=${key.replaceAll('_', '%5F')}`);
    await ask(mock, `/v2/parcels/${key}?page=${key}`, { authorization: `Bearer ${key}`, 'x-other': key, cookie: `a=${key}` });
    await ask(mock, '/v2/parcels?access_key=something-secret');
    const told = JSON.stringify(mock.exchanges.slice(-3));
    expect(told).toContain('access_key=$KEY');
    for (const secret of [key, key.slice(-20), 'something-secret']) expect(told).not.toContain(secret);
  });
});
