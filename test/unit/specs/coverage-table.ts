/** Reads docs/coverage.md: which statement of an API's document stands where in the contract files, and who reads it. */

import type { ContractName } from './contract-file.ts';

/** One row of the tables. */
export interface CoverageRow {
  /** The line in the document, counted from 1. */
  readonly line: number;
  /** The API whose document the row is about, by the title of its chapter. */
  readonly chapter: string;
  /** The section of that document, such as `2.1`. */
  readonly section: string;
  readonly says: string;
  readonly places: readonly CoveragePlace[];
  readonly readers: string;
}

/** A contract file and a JSON Pointer into it. */
export interface CoveragePlace {
  readonly contract: ContractName;
  readonly pointer: string;
}

/** Every row, in order. */
export function readRows(markdown: string): readonly CoverageRow[] {
  const rows: CoverageRow[] = [];
  let [chapter, section] = ['', ''];
  for (const [index, text] of markdown.split('\n').entries()) {
    chapter = /^## (.+)$/.exec(text)?.[1] ?? chapter;
    section = /^### §(\d+(?:\.\d+)?) /.exec(text)?.[1] ?? section;
    if (text.startsWith('| ') && !text.startsWith('| The document says')) rows.push(toRow(text, index + 1, chapter, section));
  }
  return rows;
}

function toRow(text: string, line: number, chapter: string, section: string): CoverageRow {
  const [says = '', stated = '', readers = '', ...more] = text.slice(2, -2).split(' | ');
  if (more.length > 0) throw new Error(`docs/coverage.md:${line}: a row has three cells, and this one has ${more.length + 3}`);
  return { line, chapter, section, says, places: stated.split('<br>').map((place) => toPlace(place, line)), readers };
}

function toPlace(text: string, line: number): CoveragePlace {
  const [, contract, pointer] = /^`(business|wiki)#((?:\/[^`]*)?)`$/.exec(text) ?? [];
  if (pointer === undefined)
    throw new Error(`docs/coverage.md:${line}: ${text} is not a place; write \`business#/pointer\` or \`wiki#/pointer\``);
  return { contract: contract === 'wiki' ? 'wiki' : 'business', pointer };
}
