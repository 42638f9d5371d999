/**
 * Data that each check of an interaction reads: the pact, the contract, the request as parsed and the provider states. `check-pacts.ts` builds it for each
 * interaction, and `check-body.ts` adds the schemas of the body. The other check-*.ts files, `create-finding.ts` and `schemas-implied-by-request.ts` read it.
 * It checks nothing.
 */

import type { HttpRequest } from '../../../core/http/exchange.ts';
import { isObject } from '../../../core/json.ts';
import type { Schema } from '../../../core/openapi/applicable-schemas.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import type { RequestReading } from '../../../core/parameters/read-request.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Inclusions } from '../../../generators/schema-inclusion.ts';

/** An interaction with its pact and its contract. */
export interface InteractionContext {
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** The request as HTTP; example values stand for generated ones. */
  readonly sent: HttpRequest;
  readonly inclusions: Inclusions;
  /** Settings for reading provider states. */
  readonly states: StateInterpretation;
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

/** Returns the keys from an interaction to its response body; version 4 wraps the body in `content`. */
export function bodyKeys({ pact, interaction }: Pick<CheckContext, 'pact' | 'interaction'>): readonly string[] {
  const body = valueAt(pact.value, `${interaction.pointer}/response/body`);
  const isWrapped = isObject(body) && interaction.response.body !== body && Object.hasOwn(body, 'content');
  return isWrapped ? ['response', 'body', 'content'] : ['response', 'body'];
}
