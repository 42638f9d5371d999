/** test/unit/specs/coverage.md is true: every place exists, every section and every row has what it needs, and no annotation or question is forgotten. */

import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { isObject, type Json } from '../../../core/json.ts';
import { toPointer, valueAt } from '../../../core/pointer.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { type ContractName, contractNames } from './contract-file.ts';

/** One row of the tables. */
interface CoverageRow {
  /** The line in the document, counted from 1. */
  readonly line: number;
  /** The API whose document the row is about, by the title of its chapter. */
  readonly chapter: string;
  /** The section of that document, such as `2.1`. */
  readonly section: string;
  readonly places: readonly CoveragePlace[];
}

/** A contract file and a JSON Pointer into it. */
interface CoveragePlace {
  readonly contract: ContractName;
  readonly pointer: string;
}

/** Every row, in order. */
function readRows(markdown: string): readonly CoverageRow[] {
  const rows: CoverageRow[] = [];
  let [chapter, section] = ['', ''];
  for (const [index, text] of markdown.split('\n').entries()) {
    chapter = /^## (.+)$/.exec(text)?.[1] ?? chapter;
    section = /^### §(\d+(?:\.\d+)?) /.exec(text)?.[1] ?? section;
    if (section !== '' && text.startsWith('| ') && !text.startsWith('| The document says'))
      rows.push(toRow(text, index + 1, chapter, section));
  }
  return rows;
}

function toRow(text: string, line: number, chapter: string, section: string): CoverageRow {
  const [, stated = '', ...more] = text.slice(2, -2).split(' | ');
  if (more.length > 0) throw new Error(`test/unit/specs/coverage.md:${line}: a row has two cells, and this one has ${more.length + 2}`);
  return { line, chapter, section, places: stated.split('<br>').map((place) => toPlace(place, line)) };
}

function toPlace(text: string, line: number): CoveragePlace {
  const [, contract, pointer] = /^`(business|wiki)#((?:\/[^`]*)?)`$/.exec(text) ?? [];
  if (pointer === undefined)
    throw new Error(`test/unit/specs/coverage.md:${line}: ${text} is not a place; write \`business#/pointer\` or \`wiki#/pointer\``);
  return { contract: contract === 'wiki' ? 'wiki' : 'business', pointer };
}

const sections: Readonly<Record<string, readonly string[]>> = {
  'Business Integration API': ['1', '2', '2.1', '2.2', '2.3', '2.4', '2.5', '3', '4', '5', '6', '7', '8', '9'],
  'Public Wiki API': ['1', '2', '3', '4', '5', '6', '7', '8', '9'],
};

let rows: readonly CoverageRow[];
let contracts: Readonly<Record<ContractName, Json>>;
beforeAll(async () => {
  rows = readRows(await readFile(fileURLToPath(new URL('./coverage.md', import.meta.url)), 'utf8'));
  const read = async (name: ContractName): Promise<Json> => parse(await readFile(contractFile(name), 'utf8')) as Json;
  contracts = { business: await read('business'), wiki: await read('wiki') };
});

describe('test/unit/specs/coverage.md', () => {
  it('leads to places that exist', () => {
    const places = rows.flatMap(({ line, places }) => places.map((place) => ({ line, ...place })));
    expect(places.length).toBeGreaterThan(300);
    const lost = places.filter(({ contract, pointer }) => valueAt(contracts[contract], pointer) === undefined);
    expect(lost.map(({ line, contract, pointer }) => `line ${line}: ${contract}#${pointer}`)).toEqual([]);
  });

  it('has rows for every numbered section, in order', () => {
    for (const [chapter, numbers] of Object.entries(sections)) {
      const found = rows.filter((row) => row.chapter === chapter).map(({ section }) => section);
      expect([...new Set(found)]).toEqual(numbers);
    }
    expect([...new Set(rows.map(({ chapter }) => chapter))]).toEqual(Object.keys(sections));
  });

  it('places every row in the contract file of its chapter', () => {
    const strays = rows.filter(({ chapter, places }) => places.some(({ contract }) => (contract === 'wiki') !== chapter.includes('Wiki')));
    expect(strays.map(({ line }) => line)).toEqual([]);
  });

  it.each(contractNames)('names every annotation of the %s API', (name) => {
    const named = rows.flatMap(({ places }) => places.filter(({ contract }) => contract === name).map(({ pointer }) => pointer));
    const annotations = [...listAnnotations(contracts[name], [])];
    expect(annotations.length).toBeGreaterThan(20);
    const forgotten = annotations.filter(
      (annotation) => !named.some((pointer) => pointer === annotation || pointer.startsWith(`${annotation}/`)),
    );
    expect(forgotten).toEqual([]);
  });
});

/** Words whose members are rules of their own, so that each is to be named: naming the word is not enough. */
const compound: ReadonlySet<string> = new Set(['x-api', 'x-invalid', 'x-collection']);

/** The places that a row has to name: each rule of an annotation, each question, and each schema that asks one or is personal. */
function* listAnnotations(value: Json, keys: readonly string[]): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    const place = [...keys, key];
    if (!key.startsWith('x-')) yield* listAnnotations(member, place);
    else if (compound.has(key)) yield* listRules(member, place, 2);
    else if (key === 'x-unspecified' && isObject(member)) yield* listRules(member, place, 1);
    else yield toPointer(key === 'x-personal' || key === 'x-unspecified' ? keys : place);
  }
}

/** The members of a value down to a depth; an open place and a list are one rule each. */
function listRules(value: Json, keys: readonly string[], depth: number): readonly string[] {
  if (depth === 0 || !isObject(value) || value['unspecified'] !== undefined) return [toPointer(keys)];
  return Object.entries(value).flatMap(([key, member]) => listRules(member, [...keys, key], depth - 1));
}
