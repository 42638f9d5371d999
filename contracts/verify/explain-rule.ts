/** What can be said of a law before a run: where a contract states it, which rivals a run can tell from the truth, and what it needs for that. */

import type { Collection } from '../../core/annotations/annotations.ts';
import type { SourceLocation } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import { type Operation, routeTo } from '../../core/openapi/operation.ts';
import { withValueAt } from '../../core/pointer.ts';
import type { OpenRival } from '../../core/results/run-result.ts';
import type { Clock } from '../system-clock.ts';
import { operationsOf } from './choose-checks.ts';
import type { Keyring } from './engine/call.ts';
import { RunContext } from './engine/run-context.ts';
import { Session } from './engine/session.ts';
import type { Law } from './rules/rule.ts';
import type { Target } from './target/target.ts';
import { openTimelines } from './watch/list-timeline.ts';
import type { WatchLaw } from './watch/watch-rules.ts';

/** A law at an operation of a contract. */
export interface Statement {
  readonly operation: string;
  readonly place: SourceLocation;
  readonly rivals: readonly OpenRival[];
  readonly needs?: string;
}

/** What a law says at each operation that it is about. Nothing is sent: the law is asked what it could tell of a target without data. */
export async function explainLaw(law: Law, contract: Contract): Promise<readonly Statement[]> {
  const statements: Statement[] = [];
  for (const operation of operationsOf(law, contract)) {
    const withKeys = await examine(law, contract, operation, everyKey(contract));
    const withoutKeys = await examine(law, contract, operation, new Map());
    const needs = withKeys.needs ?? withoutKeys.needs;
    const place = law.clause(operation, contract) ?? operation.place;
    statements.push({ operation: operation.id, place, rivals: withKeys.rivals, ...(needs === undefined ? {} : { needs }) });
  }
  return statements;
}

/** What a law of watching says at each operation that it is about. */
export function explainWatchLaw(law: WatchLaw, contract: Contract): readonly Statement[] {
  return operationsOf(law, contract).map((operation) => {
    const film = openTimelines(contract).find((each) => each.operation === operation || each.read === operation);
    const rivals = film === undefined ? [] : law.judge(film, contract).rivals;
    return { operation: operation.id, place: law.clause(operation, contract) ?? operation.place, rivals, needs: 'time: --watch DURATION' };
  });
}

/** Time stands still where nothing is waited for. */
const stillClock: Clock = { nowMs: () => 0, sleep: async () => undefined };

/** What a law says that it saw; here it saw nothing. */
const statusSeen = / \(\d{3}\)$/;

/** More than any law asks of a target that has nothing. */
const budget = 10_000;

async function examine(law: Law, contract: Contract, operation: Operation, keys: Keyring): Promise<Pick<Statement, 'rivals' | 'needs'>> {
  const interrupted = new Promise<void>(() => undefined);
  const tell = (): void => undefined;
  const target = createSilentTarget(contract);
  const session = new Session({ target, keys, budget, rate: undefined, clock: stillClock, tell, interrupted });
  const hidden = keys.size === 0 ? [] : ['hidden'];
  const result = await law.examine(new RunContext({ contract, session, hidden, quick: false, seed: 1 }), operation);
  if ('untestable' in result) return { rivals: [], needs: result.untestable };
  return { rivals: result.rivals.map(({ id, title, missing }) => ({ id, title, missing: missing.replace(statusSeen, '') })) };
}

/** A key for every role that a law may want; no server ever sees them. */
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
      return { kind: 'answer', response: { status, headers, body: JSON.stringify(body) }, startedMs: 0, endedMs: 0 };
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
