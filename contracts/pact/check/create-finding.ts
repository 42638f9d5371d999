/** Creates the findings of `pact check`, each with its fingerprint and its line in the pact file. */

import type { Question } from '../../../core/annotations/open-questions.ts';
import { type SourceLocation, startOf } from '../../../core/errors.ts';
import { isObject, type Json, printJson } from '../../../core/json.ts';
import { placeOf } from '../../../core/openapi/source-positions.ts';
import type { Pact } from '../../../core/pact/pact.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { CheckedInteraction, PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import { joinDigests } from '../../verify/violation-fingerprint.ts';
import type { CheckContext } from './interaction-context.ts';

/** The problem, and the advice that follows from it. */
export type FindingMessage = readonly [problem: string, advice: string];

/** A finding before its location in the pact is known. */
export type FindingDraft = Pick<PactFinding, 'id' | 'grade'> & { readonly message: FindingMessage } & Partial<
    Pick<PactFinding, 'clause' | 'witness'>
  > & { readonly question?: Question | undefined };

/** Creates a finding at keys below the interaction. */
export function createFinding(
  { pact, interaction, blame }: Pick<CheckContext, 'pact' | 'interaction' | 'blame'>,
  keys: readonly (string | number)[],
  draft: FindingDraft,
): PactFinding {
  const pointer = `${interaction.pointer}${toPointer(keys)}`;
  const { clause, witness, question: openQuestion, message, ...rest } = draft;
  const [problem, advice] = message;
  const { description, states } = interaction;
  const identity = identityOf(pact.consumer, { description, states: states.map(({ name }) => name) });
  const fingerprint = joinDigests(identity, `${draft.id} ${toPointer(keys)}`);
  const question = openQuestion && {
    id: openQuestion.id,
    question: openQuestion.question,
    source: openQuestion.source,
    place: openQuestion.place,
  };
  return {
    ...rest,
    message: `${problem}; ${blame ?? advice}`,
    fingerprint,
    clause,
    witness,
    question,
    pointer,
    place: placeInPact(pact, pointer),
  };
}

/** Creates a remark at keys below the interaction. */
export function remarkAt(
  { pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>,
  keys: readonly (string | number)[],
  remark: Pick<PactRemark, 'kind' | 'subject' | 'message'>,
): PactRemark {
  const pointer = `${interaction.pointer}${toPointer(keys)}`;
  return { ...remark, pointer, place: placeInPact(pact, pointer) };
}

/** Creates the remark that an expectation was not compared. */
export function notCompared(
  context: Pick<CheckContext, 'pact' | 'interaction'>,
  keys: readonly (string | number)[],
  subject: string,
  reason: string,
): PactRemark {
  return remarkAt(context, keys, { kind: 'not-compared', subject, message: `${subject} is not compared: ${reason}` });
}

/** The text that identifies an interaction in all versions of a pact. As in Pact, equal descriptions differ in their states. */
export function identityOf(consumer: string, { description, states }: Pick<CheckedInteraction, 'description' | 'states'>): string {
  return printJson([consumer, description, ...states]);
}

/** The keys from an interaction to the body of its request or response; version 4 wraps a body in `content`. */
export function bodyKeys(
  { pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>,
  half: 'request' | 'response',
): readonly string[] {
  const written = valueAt(pact.value, `${interaction.pointer}/${half}/body`);
  const isWrapped = isObject(written) && interaction[half].body !== written && Object.hasOwn(written, 'content');
  return isWrapped ? [half, 'body', 'content'] : [half, 'body'];
}

/** The keys from an interaction to a header, spelled as in the file. */
export function headerKeys(
  { pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>,
  half: 'request' | 'response',
  name: string,
): readonly string[] {
  const headers = valueAt(pact.value, `${interaction.pointer}/${half}/headers`);
  const written = isObject(headers) ? Object.keys(headers).find((key) => key.toLowerCase() === name.toLowerCase()) : undefined;
  return [half, 'headers', written ?? name];
}

/** Finds the line of a pointer in a pact file; for a missing value, the line of its nearest parent. */
export function placeInPact(pact: Pact, pointer: string): SourceLocation {
  let current: Json | undefined = pact.value;
  let place = placeOf(pact.value) ?? startOf(pact.file);
  for (const key of fromPointer(pointer)) {
    if (typeof current !== 'object' || current === null) break;
    const next: Json | undefined = valueAt(current, toPointer([key]));
    if (next === undefined) break;
    place = placeOf(current, key) ?? place;
    current = next;
  }
  return place;
}
