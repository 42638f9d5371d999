/**
 * When a contract is loaded, answers its open questions by a profile, or by the mock's own answers, in a copy of the document from which the contract is then
 * built anew.
 */

import { didYouMean } from '../did-you-mean.ts';
import { UsageError } from '../errors.ts';
import { arrayOrEmpty, isObject, type Json, type JsonObject } from '../json.ts';
import type { Document } from '../openapi/document.ts';
import { type MemberMeaning, mapMembers } from '../openapi/member-meanings.ts';
import { createDocument, rawOf } from '../openapi/raw-document.ts';
import { copyOrigin } from '../openapi/source-positions.ts';
import { isQuestionReference, type Question } from './open-questions.ts';

/** Names of the chosen answers, by question. */
export type Profile = Readonly<Record<string, string>>;

/**
 * Adds the mock's answers to a profile.
 * @throws {UsageError} if the profile answers an unknown question, or with something that is not a choice.
 */
export function completeProfile(questions: ReadonlyMap<string, Question>, answers: Profile): Profile {
  for (const [id, answer] of Object.entries(answers)) {
    const question = questions.get(id);
    if (question === undefined)
      throw new UsageError(
        `the profile answers ${id}, but there is no such question; ${didYouMean(id, questions.keys(), 'remove the answer')}`,
      );
    if (question.choices.size === 0) throw new UsageError(`the profile answers ${id}, which has no choices; remove the answer`);
    if (question.choices.has(answer)) continue;
    throw new UsageError(`the profile answers ${id} with ${answer}; the choices are ${[...question.choices.keys()].join(', ')}`);
  }
  const defaults = [...questions.values()].filter((question) => question.choices.size > 0).map((question) => [question.id, question.mock]);
  return { ...Object.fromEntries(defaults), ...answers };
}

/** The answers to the open questions that have a choice of this name. */
export function answersByChoice(questions: ReadonlyMap<string, Question>, choice: string): Profile {
  return Object.fromEntries([...questions].filter(([, { choices }]) => choices.has(choice)).map(([id]) => [id, choice]));
}

/** Where a profile answers questions: in annotations only, so that schemas still accept every legal response, or in schemas too. */
export type AnsweredParts = 'rules' | 'rules-and-schemas';

/** Copies a document, with references to questions replaced by the answers of a profile. A reference without an answer stays. Copies keep their lines. */
export function applyProfile(
  document: Document,
  questions: ReadonlyMap<string, Question>,
  profile: Profile,
  answeredParts: AnsweredParts,
): Document {
  const answerOf: AnswerOf = (id) => questions.get(id)?.choices.get(profile[id] ?? '');
  const files = new Map(
    [...rawOf(document).files].map(([file, root]) => [file, replaceQuestions(root, answerOf, answeredParts) as JsonObject]),
  );
  return createDocument(document.file, files, document.texts);
}

type AnswerOf = (id: string) => Json | undefined;

function replaceQuestions(value: Json, answerOf: AnswerOf, answeredParts: AnsweredParts, meaning: MemberMeaning = 'keywords'): Json {
  const replacement = meaning === 'extension' && isQuestionReference(value) ? answerOf(value.unspecified) : undefined;
  if (replacement !== undefined) return replacement;
  const replacedValue = mapMembers(value, meaning, ({ key, member, meaning: memberMeaning }) =>
    // The list of the questions themselves stays.
    key === 'x-unspecified' && meaning === 'keywords' ? member : replaceQuestions(member, answerOf, answeredParts, memberMeaning),
  );
  const copy = copyOrigin(value, replacedValue);
  const id = meaning === 'keywords' && isObject(value) ? value['x-unspecified'] : undefined;
  const choice = typeof id === 'string' && answeredParts === 'rules-and-schemas' ? answerOf(id) : undefined;
  return choice === undefined ? copy : withAnswer(copy as JsonObject, choice);
}

/** Adds an answer to a schema with `allOf`. The answer `false` replaces the schema: the member must be absent. */
function withAnswer(schema: JsonObject, answer: Json): Json {
  if (answer === false) return false;
  const { 'x-unspecified': _, ...rest } = schema;
  const allOf = arrayOrEmpty(rest['allOf']);
  return copyOrigin(schema, { ...rest, allOf: [...allOf, answer] });
}
