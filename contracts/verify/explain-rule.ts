/** Explains a rule without a run, by examining a target that has no data or, for a rule of a watch, an empty timeline. No request leaves the process. */

import type { Collection } from '../../core/annotations/annotations.ts';
import { withoutUndefined } from '../../core/drop-undefined.ts';
import { type Json, printJson } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { routeTo } from '../../core/openapi/route-request.ts';
import { withValueAt } from '../../core/pointer.ts';
import type { ExplainedMutant, RuleClause } from '../../core/results/rule-description.ts';
import type { SystemClock } from '../system-clock.ts';
import { operationsOf } from './choose-checks.ts';
import type { Keyring } from './evidence/callers.ts';
import { Session } from './evidence/request-session.ts';
import { RoundContext } from './evidence/round-context.ts';
import type { Candidate, Rule } from './rules/rule.ts';
import type { Target } from './target/open-target.ts';
import { openTimelines } from './watch/timeline-of-list.ts';
import type { TimelineRule } from './watch/timeline-rules.ts';

/** The clause of a rule at one operation, with the mutants that a run can kill there. */
export type ExplainedClause = Pick<RuleClause, 'operation' | 'place' | 'mutants' | 'needs' | 'option'>;

/** Explains a rule at each of its operations. */
export async function explainRule(rule: Rule, contract: Contract): Promise<readonly ExplainedClause[]> {
  const clauses: ExplainedClause[] = [];
  for (const operation of operationsOf(rule, contract)) {
    const withKeys = await examine(rule, contract, operation, everyKey(contract));
    const withoutKeys = await examine(rule, contract, operation, new Map());
    const { needs, option } = withKeys.needs === undefined ? withoutKeys : withKeys;
    const place = rule.clause(operation, contract) ?? operation.place;
    clauses.push({ operation: operation.id, place, mutants: withKeys.mutants, ...withoutUndefined({ needs, option }) });
  }
  return clauses;
}

/** Explains a watch rule at each of its operations. */
export function explainWatchRule(rule: TimelineRule, contract: Contract): readonly ExplainedClause[] {
  return operationsOf(rule, contract).map((operation) => {
    const timeline = openTimelines(contract).find((each) => each.operation === operation || each.readOperation === operation);
    const mutants = timeline === undefined ? [] : rule.judge(timeline, contract).mutants;
    return {
      operation: operation.id,
      place: rule.clause(operation, contract) ?? operation.place,
      mutants,
      needs: 'time: --watch DURATION',
    };
  });
}

/** A clock that never advances: nothing waits here. */
const frozenClock: SystemClock = { nowMs: () => 0, sleep: async () => undefined };

/** More requests than any rule sends to the silent target. */
const budget = 10_000;

async function examine(
  rule: Rule,
  contract: Contract,
  operation: Operation,
  keys: Keyring,
): Promise<Pick<ExplainedClause, 'mutants' | 'needs' | 'option'>> {
  const interrupted = new Promise<void>(() => undefined);
  const emit = (): void => undefined;
  const target = createSilentTarget(contract);
  const session = new Session({ target, keys, budget, rate: undefined, clock: frozenClock, emit, interrupted });
  const hidden = keys.size === 0 ? [] : ['hidden'];
  const result = await rule.examine(new RoundContext({ contract, session, hidden, quick: false, seed: 1 }), operation);
  if ('untestable' in result) return { mutants: [], needs: result.untestable, ...withoutUndefined({ option: result.option }) };
  // The status that the silent target gave says nothing of a run.
  return { mutants: result.mutants.map(explainMutant) };
}

function explainMutant({ id, title, missing, needsNoData }: Candidate): ExplainedMutant {
  return needsNoData === true ? { id, title } : { id, title, missing };
}

/** A key for every role that a rule may want; no server ever sees them. */
function everyKey({ operations }: Contract): Keyring {
  const scopes = operations.flatMap(({ security }) => security.flat().flatMap((credential) => credential.scopes));
  const roles = ['full', 'other', 'expired', ...new Set(scopes.map((scope) => `without:${scope}`))];
  return new Map(roles.map((role, index) => [role, { variable: `KEY_${index}`, value: `Unsent-Key-Of-Nobody-${index}` }]));
}

/** Answers every list with an empty one, and everything else with 404. */
function createSilentTarget({ operations }: Contract): Target {
  const headers = { 'content-type': 'application/json' };
  return {
    url: 'http://target.invalid',
    isLocal: true,
    send: async ({ method, target }) => {
      const route = routeTo(operations, method, target);
      const collection = route.kind === 'operation' ? route.operation.collection : undefined;
      const [status, body] = collection === undefined ? [404, {}] : [200, emptyPage(collection)];
      return { kind: 'answer', response: { status, headers, body: printJson(body) }, startedMs: 0, endedMs: 0 };
    },
    close: async () => undefined,
  };
}

/** The first and only page of an empty list. */
function emptyPage({ items, page }: Collection): Json {
  const body = withValueAt({}, items, []);
  if (page.style === 'cursor') return withValueAt(withValueAt(body, page.more, false), page.next, null);
  return page.total === undefined ? body : withValueAt(body, page.total, 0);
}
