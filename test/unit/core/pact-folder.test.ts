/** Which files of a folder are pacts, which are left out, and what is refused. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { SpecError, UsageError } from '../../../core/errors.ts';
import { readPacts } from '../../../core/pact-folder.ts';

const root = mkdtempSync(join(tmpdir(), 'touchstone-pacts-'));
afterAll(() => rmSync(root, { recursive: true }));

const pact = (consumer: string, interactions: readonly object[] = [{ description: 'x', request: {}, response: {} }]): string =>
  JSON.stringify({ consumer: { name: consumer }, provider: { name: 'p' }, interactions });

function folder(name: string, files: Readonly<Record<string, string>>): string {
  const path = join(root, name);
  mkdirSync(path);
  for (const [file, text] of Object.entries(files)) writeFileSync(join(path, file), text);
  return path;
}

describe('a folder', () => {
  it('gives its pacts by name, and tells what is none', async () => {
    const path = folder('mixed', {
      'b.json': pact('b'),
      'a.json': pact('a'),
      'list.json': '[1]',
      'package.json': '{"name": "x"}',
      'empty.json': pact('empty', []),
      'events.json': '{"consumer": {"name": "e"}, "provider": {"name": "p"}, "messages": [{"description": "an event"}]}',
      'notes.txt': 'not even JSON',
    });
    const { pacts, skipped } = await readPacts([path]);
    expect(pacts.map(({ consumer }) => consumer)).toEqual(['a', 'b']);
    expect(skipped.map(({ file, reason }) => [file.slice(path.length + 1), reason])).toEqual([
      ['empty.json', 'it has no interactions'],
      ['events.json', 'it has messages only, and no HTTP interaction'],
      ['list.json', 'it is no pact: it has no consumer, provider and interactions'],
      ['package.json', 'it is no pact: it has no consumer, provider and interactions'],
    ]);
  });

  it.each([
    ['nothing', {}, /holds no \*\.json file/],
    ['no interaction', { 'a.json': pact('a', []) }, /holds no HTTP interaction to judge \(a\.json: it has no interactions\)/],
  ])('that holds %s is refused', async (title, files, expected) => {
    const attempt = readPacts([folder(title, files)]);
    await expect(attempt).rejects.toThrow(expected);
    await expect(attempt).rejects.toBeInstanceOf(UsageError);
  });

  it.each([
    ['half a pact', '{"consumer": '],
    ['no JSON', 'hello'],
  ])('with a damaged file is refused: %s', async (title, text) => {
    const attempt = readPacts([folder(title, { 'a.json': pact('a'), 'damaged.json': text })]);
    await expect(attempt).rejects.toThrow(/damaged\.json:1:\d+: this is not valid JSON/);
    await expect(attempt).rejects.toBeInstanceOf(SpecError);
  });
});

describe('a file that is named', () => {
  it('must be a pact', async () => {
    const path = join(folder('named', { 'package.json': '{"name": "x"}' }), 'package.json');
    await expect(readPacts([path])).rejects.toThrow(/package\.json:1:1: a pact lists its interactions/);
  });

  it('must be there', async () => {
    await expect(readPacts([join(root, 'gone.json')])).rejects.toThrow(/gone\.json cannot be read \(ENOENT\); name a folder of pacts/);
  });
});
