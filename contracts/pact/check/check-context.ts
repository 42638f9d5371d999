/** What is judged together: an interaction, the operation that it is for, and what its states say. */

import type { Contract } from '../../../core/contract.ts';
import type { Place } from '../../../core/errors.ts';
import type { HttpRequest } from '../../../core/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Operation } from '../../../core/operation.ts';
import { placeOf } from '../../../core/origin.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import type { PactFinding } from '../../../core/pact/check-result.ts';
import type { StateCondition } from '../../../core/pact/provider-state.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { Question } from '../../../core/profile.ts';
import type { RequestReading } from '../../../core/request.ts';
import type { Schema } from '../../../core/schema.ts';
import type { Inclusions } from '../../../generators/inclusion.ts';

/** One interaction, and what it is judged by. */
export interface InteractionContext {
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** The request as it goes over the wire, its examples in the place of what is injected. */
  readonly sent: HttpRequest;
  readonly inclusions: Inclusions;
}

/** The same with the operation that it is for, and what its states say. */
export interface CheckContext extends InteractionContext {
  readonly operation: Operation;
  /** The request, its examples in the place of what is injected. */
  readonly reading: RequestReading;
  /** What the states say, as far as it is known. */
  readonly facts: readonly StateCondition[];
  /** Whether every state is a known one: others may make anything true. */
  readonly isKnown: boolean;
}

/** An expected body against the schema that is documented for its status. */
export interface BodyContext {
  readonly subject: CheckContext;
  readonly schema: Schema;
  /** Everything that an answer is known to satisfy, the documented schema included. */
  readonly allowed: readonly Schema[];
  /** The keys that lead from the interaction to the body. */
  readonly keys: readonly string[];
}

/** A finding without its place in the pact. */
export type FindingDraft = Pick<PactFinding, 'id' | 'grade' | 'message'> &
  Partial<Pick<PactFinding, 'clause' | 'witness'>> & { readonly question?: Question | undefined };

/** A finding at keys below the interaction. */
export function createFinding(
  { pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>,
  keys: readonly (string | number)[],
  found: FindingDraft,
): PactFinding {
  const pointer = `${interaction.pointer}${toPointer(keys)}`;
  const { clause, witness, question: asked, ...rest } = found;
  const question = asked && { id: asked.id, question: asked.question, source: asked.source, place: asked.place };
  return { ...rest, clause, witness, question, pointer, place: placeInPact(pact, pointer) };
}

/** Where something stands in a pact file; what is not there stands where it would. */
export function placeInPact(pact: Pact, pointer: string): Place {
  let current: Json | undefined = pact.value;
  let place = placeOf(pact.value) ?? { file: pact.file, line: 1, column: 1 };
  for (const key of fromPointer(pointer)) {
    if (typeof current !== 'object' || current === null) break;
    const next: Json | undefined = valueAt(current, toPointer([key]));
    if (next === undefined) break;
    place = placeOf(current, key) ?? place;
    current = next;
  }
  return place;
}

/** The keys that lead from an interaction to what the body of its response holds: the fourth version wraps bodies. */
export function bodyKeys({ pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>): readonly string[] {
  const body = valueAt(pact.value, `${interaction.pointer}/response/body`);
  const isWrapped = isObject(body) && interaction.response.body !== body && Object.hasOwn(body, 'content');
  return isWrapped ? ['response', 'body', 'content'] : ['response', 'body'];
}
