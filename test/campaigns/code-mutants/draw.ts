/** Draws mutants of the source code by a seed, and instruments the code so that each of them can be switched on. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant as StrykerMutant } from '@stryker-mutator/api/core';
import { type File, Instrumenter } from '@stryker-mutator/instrumenter';
import { numbersOf } from '../seed.ts';
import { createTypeChecker } from './type-checker.ts';

/** A small change of the code that some test should notice. */
export interface CodeMutant {
  /** The number by which the instrumented code knows it. */
  readonly id: string;
  /** Relative to the root of the project. */
  readonly file: string;
  /** 1-based, as is `column`. */
  readonly line: number;
  readonly column: number;
  /** Stryker's name of the kind of change. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
}

/** Mutants, and the files that hold them, instrumented. */
export interface Drawn {
  readonly mutants: readonly CodeMutant[];
  readonly files: readonly { readonly file: string; readonly text: string }[];
}

/** Texts are left out: a test that fails when a message is reworded is no better test. */
const options = { plugins: null, ignorers: [], excludedMutations: ['StringLiteral', 'Regex'] };

/**
 * Draws `count` mutants, the same for the same seed and code. Mutants that the type checker refuses are passed over.
 *
 * @param root the folder of the project
 * @param files paths relative to `root`
 */
export async function drawMutants(root: string, files: readonly string[], seed: number, count: number): Promise<Drawn> {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const { mutants } = await instrument(files.map((name) => ({ name, content: sources.get(name) ?? '', mutate: true })));
  const hasTypes = createTypeChecker(root, files);
  const drawn: StrykerMutant[] = [];
  const wanted = mutants.filter(({ status }) => status !== 'Ignored');
  for (const mutant of shuffle(wanted, seed)) {
    if (drawn.length === count) break;
    if (hasTypes(mutant.fileName, mutant.location, mutant.replacement)) drawn.push(mutant);
  }
  return await instrumentOnly(drawn, sources);
}

/** Instruments the places of the drawn mutants alone, so that all other code runs as it is written. */
async function instrumentOnly(drawn: readonly StrykerMutant[], sources: ReadonlyMap<string, string>): Promise<Drawn> {
  const places = (file: string): File['mutate'] => drawn.filter(({ fileName }) => fileName === file).map(({ location }) => location);
  const names = [...new Set(drawn.map(({ fileName }) => fileName))];
  const { files, mutants } = await instrument(names.map((name) => ({ name, content: sources.get(name) ?? '', mutate: places(name) })));
  const wanted = new Set(drawn.map(identify));
  return {
    files: files.map(({ name, content }) => ({ file: name, text: content })),
    mutants: mutants
      .filter((mutant) => wanted.has(identify(mutant)))
      .map(({ id, fileName, location, mutatorName, replacement }) => ({
        id,
        file: fileName,
        line: location.start.line + 1,
        column: location.start.column + 1,
        mutator: mutatorName,
        original: textAt(sources.get(fileName) ?? '', location),
        replacement,
      })),
  };
}

function instrument(files: readonly File[]): ReturnType<Instrumenter['instrument']> {
  const silent = { isDebugEnabled: () => false, debug: () => undefined, info: () => undefined, warn: () => undefined };
  return new Instrumenter(silent as unknown as ConstructorParameters<typeof Instrumenter>[0]).instrument(files, options);
}

function identify({ fileName, location, replacement, mutatorName }: StrykerMutant): string {
  return JSON.stringify([fileName, location, replacement, mutatorName]);
}

function shuffle<T>(list: readonly T[], seed: number): readonly T[] {
  const next = numbersOf(seed);
  return list
    .map((value) => ({ value, rank: next() }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ value }) => value);
}

function textAt(source: string, { start, end }: StrykerMutant['location']): string {
  const lines = source.split('\n').slice(start.line, end.line + 1);
  lines[lines.length - 1] = lines.at(-1)?.slice(0, end.column) ?? '';
  return lines.join('\n').slice(start.column);
}
