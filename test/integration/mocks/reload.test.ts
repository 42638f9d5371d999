/** Reloading a mock by hand: files of contracts and data, and what stays as it was. */

import { mkdtempSync, rmSync } from 'node:fs';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningMock, startMock } from '../../../mocks/start-mock.ts';
import { fixture } from '../../helpers/judged-mock.ts';
import { ask } from '../../helpers/plain-client.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-reload-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const books = (...numbers: readonly number[]): string =>
  `collections: { books: [${numbers.map((number) => `{ number: ${number}, title: T, author: { name: A }, genre: novel, pages: 1 }`).join(', ')}] }`;

/** A library in files of its own, with data of its own. */
async function openLibrary(name: string): Promise<{ readonly file: string; readonly data: string }> {
  const [file, data] = [join(folder, `${name}.openapi.yaml`), join(folder, `${name}.yaml`)];
  await writeFile(file, (await readFile(fixture('library'), 'utf8')).replaceAll('library-parts.yaml', `${name}-parts.yaml`));
  await copyFile(fixture('library').replace('library.openapi', 'library-parts'), join(folder, `${name}-parts.yaml`));
  await writeFile(data, books(1, 2));
  return { file, data };
}

const numbersOf = async (mock: RunningMock): Promise<unknown> => {
  const found = (await ask(mock, '/books?size=10')).at('/found');
  return Array.isArray(found) ? found.map((each: { readonly number: number }) => each.number).toSorted() : found;
};

describe('a mock with files of its own', { timeout: 60_000 }, () => {
  it('serves new data after a reload, and the old while the new is wrong', async () => {
    const { file, data } = await openLibrary('first');
    await using mock = await startMock({ contracts: [file], data: [data] });
    expect(mock.files).toEqual([file, join(folder, 'first-parts.yaml'), data]);
    expect(await numbersOf(mock)).toEqual([1, 2]);
    await writeFile(data, books(7));
    await mock.reload();
    expect(await numbersOf(mock)).toEqual([7]);
    await writeFile(data, 'collections: { boks: [] }');
    await expect(mock.reload()).rejects.toThrow(`${data}:1:16: /collections/boks: there is no collection boks; did you mean books?`);
    expect(await numbersOf(mock)).toEqual([7]);
  });

  it('serves a changed contract after a reload, and the old one while it is wrong', async () => {
    const { file, data } = await openLibrary('second');
    await using mock = await startMock({ contracts: [file], data: [data] });
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('  /opening-hours:', '  /hours:'));
    expect((await ask(mock, '/hours')).status).toBe(404);
    await mock.reload();
    expect([(await ask(mock, '/hours')).status, (await ask(mock, '/opening-hours')).status]).toEqual([200, 404]);
    expect(mock.contracts[0]?.operations.map(({ path }) => path)).toContain('/hours');
    await writeFile(file, text.replace('/opening-hours:', '/hours:\n    get: ['));
    await expect(mock.reload()).rejects.toThrow(`${file}:`);
    expect((await ask(mock, '/hours')).status).toBe(200);
  });

  it('serves the newest files after two reloads at once', async () => {
    const { file, data } = await openLibrary('fourth');
    await using mock = await startMock({ contracts: [file], data: [data] });
    const first = mock.reload();
    await writeFile(data, books(7));
    await Promise.all([first, mock.reload()]);
    expect(await numbersOf(mock)).toEqual([7]);
  });

  it('serves an overlay, and reads it and the file below it again', async () => {
    const { file, data } = await openLibrary('third');
    const overlay = join(folder, 'third.overlay.yaml');
    const write = (path: string): Promise<void> =>
      writeFile(
        overlay,
        `overlay: 1.0.0\ninfo: { title: T, version: '1' }\nextends: third.openapi.yaml\nactions:\n` +
          `  - { target: $.paths, update: { ${path}: { get: { responses: { '204': { description: D } } } } } }\n`,
      );
    await write('/more');
    await using mock = await startMock({ contracts: [overlay], data: [data] });
    expect(mock.files).toEqual([overlay, file, join(folder, 'third-parts.yaml'), data]);
    expect([(await ask(mock, '/more')).status, await numbersOf(mock)]).toEqual([204, [1, 2]]);
    await write('/other');
    await mock.reload();
    expect([(await ask(mock, '/more')).status, (await ask(mock, '/other')).status]).toEqual([404, 204]);
  });

  it('keeps its address, its keys, its clock and its chaos', async () => {
    const [file, data] = [fixture('parcels'), join(folder, 'parcels.yaml')];
    await writeFile(data, 'collections: { parcels: [] }');
    await using mock = await startMock({ contracts: [file], data: [data] });
    const before = { url: mock.url, keys: mock.keys };
    mock.clock.advance(3_600_000);
    mock.chaos.set('503 1%');
    const now = mock.clock.now();
    await mock.reload();
    expect({ url: mock.url, keys: mock.keys }).toEqual(before);
    expect([mock.clock.now(), mock.chaos.list()]).toEqual([now, ['503 1%']]);
  });
});

describe('a mock of what comes with the package', () => {
  it('has no file to watch', async () => {
    await using mock = await startMock({ contracts: ['wiki'] });
    expect(mock.files).toEqual([]);
  });
});
