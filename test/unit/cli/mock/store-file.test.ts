/** The file of `--store`: what clients wrote, over restarts, kills and resets. */

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { openChangeFile } from '../../../../cli/mock/store-file.ts';
import type { StoredChange } from '../../../../mocks/world/world.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-store-'));
afterAll(() => rmSync(folder, { recursive: true }));

let file = '';
let count = 0;
beforeEach(() => {
  count += 1;
  file = join(folder, `${count}.jsonl`);
});

const change = (key: string, name: string): StoredChange => ({ contract: 'garden', place: ['', 'beds'], key, record: { id: key, name } });

it('has the last change of each record at the next start', () => {
  const first = openChangeFile(file);
  first.append(change('1', 'Roses'));
  first.append(change('2', 'Herbs'));
  first.append(change('1', 'Tulips'));
  first.append({ ...change('2', ''), record: null });
  const kept = [change('1', 'Tulips'), { ...change('2', ''), record: null }];
  expect(openChangeFile(file).load()).toEqual(kept);
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(2);
  expect(openChangeFile(file).load()).toEqual(kept);
});

it('loses only the line that a killed process left unfinished', () => {
  openChangeFile(file).append(change('1', 'Roses'));
  appendFileSync(file, '{"contract":"garden","pla');
  const store = openChangeFile(file);
  expect(store.load()).toEqual([change('1', 'Roses')]);
  store.append(change('2', 'Herbs'));
  expect(openChangeFile(file).load()).toEqual([change('1', 'Roses'), change('2', 'Herbs')]);
});

it('is empty after a reset', () => {
  const store = openChangeFile(file);
  store.append(change('1', 'Roses'));
  store.clear();
  expect(openChangeFile(file).load()).toEqual([]);
});

it('is not another file, which stays as it is', () => {
  writeFileSync(file, 'name: notes\n');
  expect(() => openChangeFile(file)).toThrow(/:1:1: this is not a change that --store wrote/);
  expect(readFileSync(file, 'utf8')).toBe('name: notes\n');
});
