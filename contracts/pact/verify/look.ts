/** Finds out what the states of an interaction speak of: by reading the target, or by asking for it where that cannot show it. */

import type { Interaction, ProviderState } from '../../../core/pact.ts';
import { type Fact, parseFact } from '../../../core/pact-fact.ts';
import { valueAt } from '../../../core/pointer.ts';
import type { Lab } from '../../lab.ts';
import { findKey, findNoResource, findResource, findTrouble } from './find-other.ts';
import { findNoRecord, findRecord } from './find-record.ts';
import { findRecords } from './find-records.ts';
import { type Finding, missing, plain, together } from './found.ts';
import { operationOf } from './request-of.ts';

/** What the states of an interaction came to. */
export interface Look {
  readonly finding: Finding;
  /** The states that the provider has to be asked for, because reading does not show them. */
  readonly changes: readonly ProviderState[];
}

/** Looks for the facts of an interaction; the lab remembers what was read. States that were asked for already hold. */
export async function look(lab: Lab, interaction: Interaction, canChange: boolean, changed: readonly ProviderState[] = []): Promise<Look> {
  const findings: Finding[] = [];
  const changes: ProviderState[] = [];
  for (const state of interaction.states) {
    const finding = await findState(lab, state, interaction);
    const isAskable = canChange || changed.includes(state);
    if (finding.kind === 'missing' && isAskable) changes.push(state);
    findings.push(finding.kind === 'missing' && isAskable ? plain : finding);
  }
  return { finding: together(findings), changes };
}

async function findState(lab: Lab, state: ProviderState, interaction: Interaction): Promise<Finding> {
  const fact = parseFact(lab.contract, state);
  if (fact === undefined) return missing(`the state “${state.name}” is none of the forms that can be found out by reading`);
  const finding = await findFact(lab, fact, interaction);
  // An operation that refuses to show the fact is itself what the consumer asks: that is judged, and not left out.
  const { operation } = operationOf(lab.contract, interaction.request.method, interaction.request.path);
  if (finding.kind === 'missing' && finding.refusedBy === operation.id) return plain;
  return finding.kind === 'missing' ? missing(`${state.name}: ${finding.reason}`) : finding;
}

async function findFact(lab: Lab, fact: Fact, interaction: Interaction): Promise<Finding> {
  if (fact.kind === 'record') return await findRecord(lab, fact);
  if (fact.kind === 'records') return await findRecords(lab, fact, interaction);
  if (fact.kind === 'no-record') return await findNoRecord(lab, fact);
  if (fact.kind === 'resource') return await findResource(lab, fact.resource);
  if (fact.kind === 'no-resource') return await findNoResource(lab, fact.resource);
  if (fact.kind === 'key' || fact.kind === 'no-scope') return findKey(lab, fact);
  const trouble = await findTrouble(lab, withCode(lab, fact, interaction));
  return trouble ?? missing('reading cannot bring this about; name a --state-change-url that can');
}

/** A mock has several codes for it, and the interaction expects one of them. */
function withCode(lab: Lab, fact: Extract<Fact, { kind: 'throttled' | 'unavailable' }>, { response }: Interaction): typeof fact {
  if (fact.kind === 'throttled' || fact.code !== undefined) return fact;
  const code = lab.contract.error === undefined ? undefined : valueAt(response.body, lab.contract.error.code);
  return typeof code === 'string' ? { ...fact, code } : fact;
}
