/** The sources name no particular API, and take what differs between runs or machines as arguments. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isSource, listTypeScript, repository } from '../../helpers/tree.ts';
import { listAmbientUses } from './ambient.ts';
import { listForbiddenWords } from './vocabulary.ts';

function parse(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

const sources = listTypeScript(repository)
  .filter(isSource)
  .map((path) => ({ path, file: parse(path, readFileSync(join(repository, path), 'utf8')) }));

it.each([
  ['name no API', listForbiddenWords],
  ['take clock, randomness, environment, network and locale as arguments', listAmbientUses],
] as const)('the sources %s', (_, rule) => {
  expect(sources.length).toBeGreaterThan(20);
  expect(sources.flatMap(({ path, file }) => rule(path, file).map((complaint) => `${path}:${complaint}`))).toEqual([]);
});

const apiWords: readonly (readonly [text: string, word: string])[] = [
  [`const one = '/orders/index.php';`, 'orders'],
  ['const reservations = 1;', 'reservations'],
  ['const listOrders = 1;', 'orders'],
  ['const MENU_SIZE = 1;', 'menu'],
  ['const one = `/\u0024{1}/wiki/`;', 'wiki'],
  ['const one = /^reservation$/;', 'reservation'],
  ['const one = { menus: 1 };', 'menus'],
];

const ambientUses: readonly (readonly [text: string, use: string])[] = [
  ['const one = Date.now();', 'Date.now'],
  ['const one = new Date();', 'new Date()'],
  ['const one = globalThis.Date.now();', 'Date.now'],
  ['const one = Math.random;', 'Math.random'],
  [`import { randomUUID } from 'node:crypto';`, 'randomUUID'],
  [`const one = 'a'.localeCompare('b');`, 'localeCompare'],
  ['const one = new Intl.Collator();', 'Intl.Collator'],
  [`const one = process.env['HOME'];`, 'process.env'],
  [`const one = fetch('http://127.0.0.1');`, 'fetch()'],
];

const allowed: readonly (readonly [text: string, path: string])[] = [
  [`const order = 'in the order of', orderBy = 'order by', reorder = 'reorders';`, 'core/one.ts'],
  ['// such as --size orders=1000', 'core/one.ts'],
  [`const menus = 'menu';`, 'mocks/data/business/menu.ts'],
  ['const when = (ms: number): Date => new Date(ms);', 'core/one.ts'],
  ['const now = Date.now();', 'cli/main.ts'],
];

describe('the rules', () => {
  it.each(apiWords)('find the API in %s', (text, word) => {
    for (const path of ['core/one.ts', 'cli/main.ts'])
      expect(listForbiddenWords(path, parse(path, text))).toEqual([`1: “${word}” belongs to one API; read it from the contract`]);
  });

  it.each(ambientUses)('find the use in %s', (text, use) => {
    const found = listAmbientUses('core/one.ts', parse('core/one.ts', text));
    expect(found).toEqual([`1: ${use} differs between runs or machines; take it as an argument`]);
  });

  it.each(allowed)('allow %s', (text, path) => {
    expect([...listForbiddenWords(path, parse(path, text)), ...listAmbientUses(path, parse(path, text))]).toEqual([]);
  });
});
