/**
 * The data that each check of an interaction reads, and the findings that it creates. `check-pacts.ts` builds the data for each interaction; the other
 * check-*.ts files read it and create their findings by it. It checks nothing.
 */

import type { Question } from '../../../core/annotations/profile.ts';
import type { SourceLocation } from '../../../core/errors.ts';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { Schema } from '../../../core/openapi/schema.ts';
import { placeOf } from '../../../core/openapi/source-positions.ts';
import type { CheckedInteraction, PactFinding } from '../../../core/results/pact-check-result.ts';
import type { StateReading } from '../../../core/pact/unrecognised-state.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import type { RequestReading } from '../../../core/parameters/read-request.ts';
import { fromPointer, toPointer, valueAt } from '../../../core/pointer.ts';
import type { Inclusions } from '../../../generators/schema-inclusion.ts';
import { joinDigests } from '../../verify/check-outcome.ts';

/** An interaction with its pact and its contract. */
export interface InteractionContext {
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** The request as HTTP; example values stand for generated ones. */
  readonly sent: HttpRequest;
  readonly inclusions: Inclusions;
  /** Settings for reading provider states. */
  readonly states: StateReading;
}

/** An interaction whose operation is known, with its parsed request and provider states. */
export interface CheckContext extends InteractionContext {
  readonly operation: Operation;
  readonly reading: RequestReading;
  /** The conditions of the provider states that could be parsed. */
  readonly conditions: readonly StateCondition[];
  /** False if a state could not be parsed. Such a state may allow any response. */
  readonly allStatesKnown: boolean;
}

/** The expected body of a response and the schemas that document it. */
export interface BodyContext {
  readonly context: CheckContext;
  /** Lists the schemas that may apply at a pointer. */
  readonly schemasAt: (pointer: string) => readonly Schema[];
  /** Schemas that every response satisfies: the documented one and the implied ones. */
  readonly allowed: readonly Schema[];
  /** Keys from the interaction to the body. */
  readonly keys: readonly string[];
}

/** A finding before its location in the pact is known. */
export type FindingDraft = Pick<PactFinding, 'id' | 'grade' | 'message'> &
  Partial<Pick<PactFinding, 'clause' | 'witness'>> & { readonly question?: Question | undefined };

/** Creates a finding at keys below the interaction. */
export function createFinding(
  { pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>,
  keys: readonly (string | number)[],
  found: FindingDraft,
): PactFinding {
  const pointer = `${interaction.pointer}${toPointer(keys)}`;
  const { clause, witness, question: asked, ...rest } = found;
  const { description, states } = interaction;
  const identity = identityOf(pact.consumer, { description, states: states.map(({ name }) => name) });
  const fingerprint = joinDigests(identity, `${found.id} ${toPointer(keys)}`);
  const question = asked && { id: asked.id, question: asked.question, source: asked.source, place: asked.place };
  return { ...rest, fingerprint, clause, witness, question, pointer, place: placeInPact(pact, pointer) };
}

/** The text that identifies an interaction in all versions of a pact. As in Pact, equal descriptions differ in their states. */
export function identityOf(consumer: string, { description, states }: Pick<CheckedInteraction, 'description' | 'states'>): string {
  return JSON.stringify([consumer, description, ...states]);
}

/** Finds the line of a pointer in a pact file; for a missing value, the line of its nearest parent. */
export function placeInPact(pact: Pact, pointer: string): SourceLocation {
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

/** Returns the keys from an interaction to its response body; version 4 wraps the body in `content`. */
export function bodyKeys({ pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>): readonly string[] {
  const body = valueAt(pact.value, `${interaction.pointer}/response/body`);
  const isWrapped = isObject(body) && interaction.response.body !== body && Object.hasOwn(body, 'content');
  return isWrapped ? ['response', 'body', 'content'] : ['response', 'body'];
}
