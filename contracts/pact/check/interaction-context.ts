import type { HttpRequest } from '../../../core/http/exchange.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { Operation } from '../../../core/openapi/operation.ts';
import type { StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import type { RequestReading } from '../../../core/parameters/read-request.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import type { Inclusions } from '../../../generators/schema-inclusion.ts';

/** What is wrong with a part of an interaction, and what was not compared. */
export interface PartCheck {
  readonly findings: readonly PactFinding[];
  readonly remarks: readonly PactRemark[];
  /** Number of expectations. */
  readonly count: number;
}

export const nothingChecked: PartCheck = { findings: [], remarks: [], count: 0 };

/** An interaction with its pact and its contract. */
export interface InteractionContext {
  readonly pact: Pact;
  readonly contract: Contract;
  readonly interaction: Interaction;
  /** The request as HTTP; example values stand for generated ones. */
  readonly sent: HttpRequest;
  readonly inclusions: Inclusions;
  /** Advice instead of that of each finding, if the change of the contract is to blame. */
  readonly blame?: string | undefined;
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
  /** False while the expectations are compared with another documented status than that of the example. */
  readonly hasExample: boolean;
}
