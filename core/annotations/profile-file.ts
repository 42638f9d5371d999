/**
 * Reads profile files (answers to the open questions of one or several contracts) when a mock or a command starts, and on each reload. Every name is checked,
 * so that no answer is silently ignored.
 */

import { didYouMean } from '../did-you-mean.ts';
import { type SourceLocation, SpecError, UsageError } from '../errors.ts';
import { isObject, type Json, type JsonObject, objectOrEmpty, printJson } from '../json.ts';
import type { Contract } from '../openapi/contract.ts';
import type { ReadText } from '../openapi/document.ts';
import { loadDataFile } from '../openapi/loading/load-document.ts';
import { placeOfParsed } from '../openapi/source-positions.ts';
import { listShipped, profileFile } from '../shipped-files.ts';
import type { Profile } from './apply-profile.ts';

/** A profile file. Its answers are `question: answer`, or grouped by contract: `contract: { question: answer }`. */
interface ProfileFile {
  readonly file: string;
  readonly root: JsonObject;
}

/** The name and the open questions of a contract. */
type ContractQuestions = Pick<Contract, 'name' | 'questions'>;

/**
 * Reads a profile file, by the name of a profile in the package or by its path.
 * @throws {UsageError} if there is no such profile or file, or the file cannot be read.
 * @throws {SpecError} if the file is neither YAML nor JSON.
 */
export async function loadProfile(nameOrFile: string, read?: ReadText): Promise<ProfileFile> {
  const file = read === undefined ? profileFile(nameOrFile) : nameOrFile;
  return { file, root: await loadDataFile(file, 'a profile', read) };
}

/**
 * Returns the answers for one contract: the group under its name, and the ungrouped answers to its questions.
 * @throws {SpecError} at an answer that is not a choice, or at an unknown question in the contract's group.
 */
export function answersFor({ root }: ProfileFile, contract: ContractQuestions): Profile {
  const group = root[contract.name];
  const ungroupedAnswers = Object.entries(root).filter(([id, answer]) => !isObject(answer) && contract.questions.has(id));
  const groupedAnswers = Object.entries(objectOrEmpty(group));
  const answers = [
    ...ungroupedAnswers.map(([id, answer]) => readAnswer(contract, id, answer, placeOfParsed(root, id))),
    ...groupedAnswers.map(([id, answer]) => readAnswer(contract, id, answer, placeOfParsed(group as JsonObject, id))),
  ];
  return Object.fromEntries(answers);
}

/**
 * Checks that every answer of a file is used. Groups for contracts of the package are allowed even if those are not served.
 * @throws {SpecError} at a name that is neither a contract nor a question.
 * @throws {UsageError} if the file answers no question of the contracts.
 */
export function rejectUnusedAnswers({ file, root }: ProfileFile, contracts: readonly ContractQuestions[]): void {
  const names = [...new Set([...contracts.map(({ name }) => name), ...listShipped()])];
  const questions = contracts.flatMap((contract) => [...contract.questions.keys()]);
  for (const [key, value] of Object.entries(root)) {
    if (isObject(value) ? names.includes(key) : questions.includes(key)) continue;
    const message = isObject(value) ? `there is no contract ${key}` : `there is no question ${key}`;
    throw new SpecError(placeOfParsed(root, key), `${message}; ${advise(key, isObject(value) ? names : questions)}`);
  }
  if (contracts.some((contract) => Object.keys(answersFor({ file, root }, contract)).length > 0)) return;
  const contractNames = contracts.map(({ name }) => name).join(', ');
  throw new UsageError(`the profile ${file} answers no question of ${contractNames}; write lines of question: answer, or omit the profile`);
}

/** Reads one answer. YAML may have read its name as another value, such as null. */
function readAnswer(contract: ContractQuestions, id: string, answer: Json, place: SourceLocation): readonly [id: string, choice: string] {
  const question = contract.questions.get(id);
  if (question === undefined)
    throw new SpecError(place, `${contract.name} has no question ${id}; ${advise(id, [...contract.questions.keys()])}`);
  if (question.choices.size === 0) throw new SpecError(place, `the question ${id} has no choices; remove the answer`);
  const choice = typeof answer === 'object' && answer !== null ? undefined : String(answer);
  if (choice !== undefined && question.choices.has(choice)) return [id, choice];
  throw new SpecError(place, `${printJson(answer)} is not a choice of ${id}; the choices are ${[...question.choices.keys()].join(', ')}`);
}

function advise(name: string, names: readonly string[]): string {
  return didYouMean(name, names, `there are ${names.join(', ') || 'none'}`);
}
