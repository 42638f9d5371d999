/**
 * Finds the provider states of one interaction by reading the target, before its request; changes nothing itself. With a state-change URL, states not found
 * are returned for set-up; without one, the interaction is not exercised.
 */

import { interpretState, type StateInterpretation } from '../../../core/pact/interpret-state.ts';
import type { Interaction, ProviderState } from '../../../core/pact/pact.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { RoundContext } from '../../verify/evidence/round-context.ts';
import { findNoRecord, findNoResource, findRecord, findRecords, findResource, findUnavailability, selectKey } from './find-one-state.ts';
import { operationFor } from './operation-for-request.ts';
import { combineStates, foundWithoutValues, type StateResult, stateMissing } from './state-result.ts';

/** Result of finding the states of an interaction. */
export interface StateLookup {
  readonly result: StateResult;
  /** States that reading does not find. The provider must set them up. */
  readonly statesToSetUp: readonly ProviderState[];
}

/**
 * Finds every state of an interaction. Call it without `statesSetUp` first: states that are missing but could be set up are returned in `statesToSetUp`. After
 * the set-up, call it again with them: they count as holding, even if reading does not show them.
 */
export async function findStates(
  context: RoundContext,
  interaction: Interaction,
  reading: StateInterpretation,
  statesSetUp?: readonly ProviderState[],
): Promise<StateLookup> {
  const canSetUp = !reading.canGuess && statesSetUp === undefined;
  const results: StateResult[] = [];
  const statesToSetUp: ProviderState[] = [];
  for (const state of interaction.states) {
    const result = await findState(context, state, interaction, reading);
    if (result.kind === 'missing' && (canSetUp || statesSetUp?.includes(state) === true)) {
      statesToSetUp.push(state);
      results.push(foundWithoutValues);
    } else results.push(result);
  }
  return { result: combineStates(results), statesToSetUp };
}

async function findState(
  context: RoundContext,
  state: ProviderState,
  interaction: Interaction,
  reading: StateInterpretation,
): Promise<StateResult> {
  const condition = interpretState(context.contract, state, reading);
  if (condition === undefined) return stateMissing(`the state “${state.name}” has none of the known forms`);
  const result = await findCondition(context, condition, interaction);
  // If the operation that should show the state is the one under test, its failure is judged, not skipped.
  const { operation } = operationFor(context.contract, interaction.request.method, interaction.request.path);
  if (result.kind === 'missing' && result.refusedBy === operation.id) return foundWithoutValues;
  return result.kind === 'missing' ? stateMissing(`${state.name}: ${result.reason}`) : result;
}

async function findCondition(context: RoundContext, condition: StateCondition, interaction: Interaction): Promise<StateResult> {
  if (condition.kind === 'record') return await findRecord(context, condition);
  if (condition.kind === 'records') return await findRecords(context, condition, interaction);
  if (condition.kind === 'no-record') return await findNoRecord(context, condition);
  if (condition.kind === 'resource') return await findResource(context, condition.resource);
  if (condition.kind === 'no-resource') return await findNoResource(context, condition.resource);
  if (condition.kind === 'key' || condition.kind === 'no-scope') return selectKey(context, condition);
  const unavailability = await findUnavailability(context, withCode(context, condition, interaction));
  return unavailability ?? stateMissing('only a --state-change-url can set this up');
}

/** Adds the expected error code to a condition. A mock can answer 503 with several codes. */
function withCode(
  context: RoundContext,
  condition: Extract<StateCondition, { kind: 'throttled' | 'unavailable' }>,
  { response }: Interaction,
): typeof condition {
  if (condition.kind === 'throttled' || condition.code !== undefined) return condition;
  const code = context.contract.error === undefined ? undefined : valueAt(response.body, context.contract.error.code);
  return typeof code === 'string' ? { ...condition, code } : condition;
}
