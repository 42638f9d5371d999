/** Profiles in files: answers to open questions for one contract or for several, by the names of the package or as files of one's own. */

import { nearest, type SourceLocation, SpecError, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import { loadData, type ReadText } from '../openapi/document.ts';
import { placeOf } from '../openapi/source-positions.ts';
import { listShipped, profileFile } from '../shipped.ts';
import type { Profile } from './profile.ts';

/** A file of answers, each `question: answer`, or gathered under the name of the contract that asks: `contract: { question: answer }`. */
interface ProfileFile {
  readonly file: string;
  readonly root: JsonObject;
}

/** Open questions of a contract. */
type Asking = Pick<Contract, 'name' | 'questions'>;

/**
 * Reads a profile: one of the package by its name, any other by its path.
 * @throws {UsageError} when the name is neither, or the file cannot be read.
 * @throws {SpecError} when it is neither YAML nor JSON.
 */
export async function loadProfile(nameOrFile: string, read?: ReadText): Promise<ProfileFile> {
  const file = read === undefined ? profileFile(nameOrFile) : nameOrFile;
  return { file, root: await loadData(file, 'a profile', read) };
}

/**
 * The answers that a file gives to the questions of a contract: those under its name, and those under no name that it asks.
 * @throws {SpecError} at the answer that is no choice, or that answers what is not asked.
 */
export function answersFor({ root }: ProfileFile, contract: Asking): Profile {
  const own = root[contract.name];
  const plain = Object.entries(root).filter(([id, answer]) => !isObject(answer) && contract.questions.has(id));
  const named = isObject(own) ? Object.entries(own) : [];
  const answers = [
    ...plain.map(([id, answer]) => readAnswer(contract, id, answer, placeIn(root, id))),
    ...named.map(([id, answer]) => readAnswer(contract, id, answer, placeIn(own as JsonObject, id))),
  ];
  return Object.fromEntries(answers);
}

/**
 * Checks that nothing in a file is left over. A contract of the package may be named without being served.
 * @throws {SpecError} at a name that is neither a contract nor a question.
 * @throws {UsageError} when no contract asks anything that the file answers.
 */
export function rejectLeftovers({ file, root }: ProfileFile, contracts: readonly Asking[]): void {
  const names = [...new Set([...contracts.map(({ name }) => name), ...listShipped()])];
  const questions = contracts.flatMap((contract) => [...contract.questions.keys()]);
  for (const [key, value] of Object.entries(root)) {
    if (isObject(value) ? names.includes(key) : questions.includes(key)) continue;
    const what = isObject(value) ? 'no contract is called' : 'no contract asks';
    throw new SpecError(placeIn(root, key), `${what} ${key}${hint(key, isObject(value) ? names : questions)}`);
  }
  if (contracts.some((contract) => Object.keys(answersFor({ file, root }, contract)).length > 0)) return;
  const served = contracts.map(({ name }) => name).join(', ');
  throw new UsageError(
    `the profile ${file} answers nothing that is asked by ${served}; write a file with lines of question: answer, or leave the profile out`,
  );
}

/** A choice may have a name that YAML reads as something else than a text, such as null. */
function readAnswer(contract: Asking, id: string, answer: Json, place: SourceLocation): readonly [id: string, choice: string] {
  const question = contract.questions.get(id);
  if (question === undefined) throw new SpecError(place, `${contract.name} does not ask ${id}${hint(id, [...contract.questions.keys()])}`);
  if (question.choices.size === 0) throw new SpecError(place, `${id} has no choices: it is only asked; leave it out`);
  const choice = typeof answer === 'object' && answer !== null ? undefined : String(answer);
  if (choice !== undefined && question.choices.has(choice)) return [id, choice];
  throw new SpecError(place, `${JSON.stringify(answer)} is no choice of ${id}; the choices are ${[...question.choices.keys()].join(', ')}`);
}

function hint(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? `; there are ${known.join(', ') || 'none'}` : `; is ${meant} meant?`;
}

function placeIn(holder: JsonObject, key: string): SourceLocation {
  return placeOf(holder, key) ?? { file: '', line: 1, column: 1 };
}
