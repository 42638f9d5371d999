/** Rules about keys: which requests they open, in which carriers, and which they must not open. */

import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { type Credential, type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import {
  differencesBetween,
  firstGuarded,
  isExamined,
  type KeyVariant,
  lastingDifferences,
  roomInQuickRun,
  variantsOf,
  withKey,
} from '../engine/access.ts';
import { anonymous, type Call, isSuccess, type Reply, unknownCaller, usableTag, withTag } from '../engine/call.ts';
import { needsKey } from '../engine/clauses.ts';
import type { RunContext } from '../engine/run-context.ts';
import { exampleCall } from '../engine/single-read.ts';
import {
  agrees,
  type Candidate,
  candidate,
  contradicts,
  dataMoved,
  type Examination,
  examineInTurn,
  type Judgement,
  type Rule,
  reportedBy,
  type Untestable,
} from './rule.ts';

/** Place where an operation requires a key. */
function securityPlace({ document, value }: Operation): ReturnType<Rule['clause']> {
  return document.place(value, 'security');
}

/** Reason why a key must not open an operation. */
type KeyCondition = 'unauthenticated' | 'forbidden';

/** A request whose key must not open, and the mutant that it opens. */
interface KeyAttempt {
  readonly call: Call;
  /** The key, as a noun. */
  readonly what: string;
  readonly mutant: MutantIdentity;
}

/** Sends requests whose keys must not open what the full key opens, and judges how they are refused. */
async function examineKeyRefusals(
  context: RunContext,
  call: Call,
  condition: KeyCondition,
  attempts: readonly KeyAttempt[],
): Promise<Examination> {
  const full = await context.ask(call);
  const missing = isSuccess(full) ? 'room in the budget' : `a request that succeeds with the full key (${full.response.status})`;
  const mutants = attempts.map(({ mutant }): Candidate => ({ ...mutant, missing }));
  return examineInTurn(mutants, attempts, async (attempt) => {
    const reply = await context.ask(attempt.call);
    const isOther = isSuccess(full) && !isSuccess(reply) && reply.response.status !== statusOf(call.operation, condition);
    // A record deleted meanwhile is absent for every caller.
    const after = isOther ? await context.askAgain(call) : undefined;
    return () =>
      after === undefined || isSuccess(after) || reply.response.status >= 500
        ? judgeAttempt(condition, attempt, reply, full)
        : dataMoved(`${call.operation.id} stopped succeeding with the full key`);
  });
}

function judgeAttempt(
  condition: KeyCondition,
  { call: { operation }, what, mutant }: KeyAttempt,
  reply: Reply,
  full: Reply,
): Judgement | undefined {
  const wanted = statusOf(operation, condition);
  const { status } = reply.response;
  if (status === wanted) return agrees(mutant);
  if (status >= 500) return reportedBy('response/no-server-error');
  if (!isSuccess(reply) && !isSuccess(full)) return undefined;
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must respond with ${wanted}`,
    actual: `the status is ${status}`,
    mutant: isSuccess(reply) ? mutant : undefined,
  });
}

/** True when an operation documents the refusal of a key. */
function documentsRefusal(operation: Operation, condition: KeyCondition): boolean {
  return responseFor(operation, statusOf(operation, condition)) !== undefined;
}

/** A rule about requests that differ from one that succeeds in their key alone. */
interface KeyRefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  readonly condition: KeyCondition;
  readonly applies?: (operation: Operation) => boolean;
  /** The requests; what a run lacks for them, or a wrong reading that stays open, where there are none. */
  readonly attempts: (
    context: RunContext,
    call: () => Promise<Call>,
    operation: Operation,
  ) => Promise<readonly KeyAttempt[] | Untestable | Candidate>;
}

/** Makes a rule of its data. */
function keyRefusalRule({ condition, applies = needsKey, attempts, ...rule }: KeyRefusalRule): Rule {
  return {
    ...rule,
    clause: (operation) => (applies(operation) && documentsRefusal(operation, condition) ? securityPlace(operation) : undefined),
    examine: async (context, operation) => {
      const found = await attempts(context, () => exampleCall(context, operation), operation);
      if ('untestable' in found) return found;
      if ('missing' in found) return { mutants: [found], judge: () => [] };
      return examineKeyRefusals(context, await exampleCall(context, operation), condition, found);
    },
  };
}

const missing = keyRefusalRule({
  id: 'keys/missing',
  title: 'A request without a key is answered with 401',
  why: 'An operation that answers without a key is open to everybody.',
  strength: 'stated',
  condition: 'unauthenticated',
  attempts: async (context, example, { id }) => {
    const call = await example();
    const empty = firstGuarded(context)?.id === id ? withKey(call, '') : undefined;
    return [
      { call: { ...call, as: anonymous }, what: 'no key', mutant: mutantOf('keys/missing', 'missing-key-accepted') },
      ...(empty === undefined ? [] : [{ call: empty, what: 'an empty key', mutant: mutantOf('keys/missing', 'empty-key-accepted') }]),
    ];
  },
});

const unknown = keyRefusalRule({
  id: 'keys/unknown',
  title: 'A key that was never issued is answered with 401',
  why: 'A server that only checks for the presence of a key is open to everybody.',
  strength: 'stated',
  condition: 'unauthenticated',
  attempts: async (context, example, operation) => {
    if (!isExamined(context, operation)) return candidate('keys/unknown', 'unknown-key-accepted', roomInQuickRun);
    const call = await example();
    return [
      {
        call: { ...call, as: unknownCaller },
        what: 'a key that was never issued',
        mutant: mutantOf('keys/unknown', 'unknown-key-accepted'),
      },
      ...(firstGuarded(context)?.id === operation.id ? nearlyRight(context, call) : []),
    ];
  },
});

/** Keys that differ from the right one where careless comparisons do not look. They are as secret as the key: outputs hide them as well. */
function nearlyRight(context: RunContext, call: Call): readonly KeyAttempt[] {
  const key = context.keys.get('full');
  if (key === undefined || context.quick) return [];
  return variantsOf(key).flatMap((variant) => {
    const sent = withKey(call, variant.value);
    return sent === undefined ? [] : [{ call: sent, what: describe(variant), mutant: mutantOf('keys/unknown', variant.kind) }];
  });
}

function describe({ kind }: KeyVariant): string {
  return kind === 'key-case-ignored' ? 'the key in the other case' : 'the beginning of the key';
}

const expired = keyRefusalRule({
  id: 'keys/expired',
  title: 'An expired key is answered with 401',
  why: 'Expiry limits the damage of a lost key. A key accepted after its end defeats that.',
  strength: 'stated',
  slow: true,
  condition: 'unauthenticated',
  attempts: async (context, example, operation) => {
    if (!context.keys.has('expired')) return { untestable: 'an expired key: --key expired=VARIABLE' };
    if (!isExamined(context, operation)) return candidate('keys/expired', 'expired-key-accepted', roomInQuickRun);
    return [
      { call: { ...(await example()), as: 'expired' }, what: 'an expired key', mutant: mutantOf('keys/expired', 'expired-key-accepted') },
    ];
  },
});

const carriers: Rule = {
  id: 'keys/carriers',
  title: 'A key works the same in every carrier',
  why: 'Clients choose the carrier that their tools can send. The same key must give the same access in each.',
  strength: 'stated',
  slow: true,
  clause: (operation) => (needsKey(operation) && carriersOf(operation).length > 1 ? securityPlace(operation) : undefined),
  examine: async (context, operation) => {
    const [usual = '', ...others] = carriersOf(operation);
    const isLooked = isExamined(context, operation);
    const missing = isLooked ? 'a request that succeeds with the full key' : roomInQuickRun;
    const mutants = [ignored(usual, missing), ...others.flatMap((other) => [ignored(other, missing), different(other, missing)])];
    return examineInTurn(mutants, isLooked ? others : [], async (other) => {
      const example = await exampleCall(context, operation);
      const [one, two] = [
        { ...example, carrier: 0 },
        { ...example, carrier: others.indexOf(other) + 1 },
      ];
      const [first, second] = [await context.ask(one), await context.ask(two)];
      const names = [usual, other] as const;
      if (differencesBetween(first, second, comparison).length === 0) return () => agreement(names, first, second);
      // Both are asked by turns until each is known twice.
      const again = [await context.askAgain(one), await context.askAgain(two)] as const;
      return () => judgeCarriers(names, [first, again[0]], [second, again[1]]);
    });
  },
};

/** The documented carriers; none when they ask for different scopes, since then they are not equivalent. */
function carriersOf({ security }: Operation): readonly string[] {
  const alternatives = security.filter((each) => each.length > 0);
  const scopes = new Set(alternatives.map((each) => JSON.stringify(each.flatMap((credential) => credential.scopes).toSorted())));
  return scopes.size > 1 ? [] : alternatives.map((each) => each.map(nameOf).join(' with '));
}

function nameOf({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word}` : `the ${carrier.in} ${carrier.name}`;
}

function ignored(name: string, missing = ''): Candidate {
  return candidate('keys/carriers', 'carrier-ignored', missing, { carrier: name }, name);
}

function different(name: string, missing = ''): Candidate {
  return candidate('keys/carriers', 'carrier-of-other-key', missing, { carrier: name }, name);
}

const comparison = { headers: ['etag'] };

function isRead({ response: { status } }: Reply): boolean {
  return status !== 401;
}

/** The carrier that is documented first, and the one that it is compared with. */
type Carriers = readonly [usual: string, other: string];

function agreement([usual, other]: Carriers, one: Reply, two: Reply): Judgement {
  return agrees(
    ...(isRead(one) ? [ignored(usual)] : []),
    ...(isRead(two) ? [ignored(other)] : []),
    ...(isSuccess(two) ? [different(other)] : []),
  );
}

function judgeCarriers(names: Carriers, first: readonly [Reply, Reply], second: readonly [Reply, Reply]): Judgement {
  const [[one], [two], [usual, other]] = [first, second, names];
  const { id } = one.call.operation;
  const lasting = lastingDifferences(first, second, comparison);
  if (lasting.length === 0) {
    const isRestless = [first, second].some(([left, right]) => differencesBetween(left, right, comparison).includes('status'));
    return isRestless ? dataMoved(`${id} is answered differently each time`) : agreement(names, one, two);
  }
  return contradicts({
    replies: [one, two],
    expected: `${id} must respond the same to a key in ${usual} and in ${other}`,
    actual:
      lasting[0] === 'status'
        ? `the statuses are ${one.response.status} and ${two.response.status}`
        : `the responses differ in ${lasting.slice(0, 3).join(', ')}`,
    mutant: isRead(two) ? (isRead(one) ? different(other) : ignored(usual)) : ignored(other),
  });
}

const scopes = keyRefusalRule({
  id: 'keys/scopes',
  title: 'A key that lacks the scope is answered with 403',
  why: 'Scopes keep a key that was made for one task from doing another.',
  strength: 'stated',
  condition: 'forbidden',
  applies: (operation) => scopesOf(operation).length > 0,
  attempts: async (context, example, operation) => {
    const needed = scopesOf(operation);
    const known = needed.filter((scope) => context.keys.has(`without:${scope}`));
    const [first] = needed;
    if (known.length === 0) return { untestable: `a key without the scope ${first ?? ''}: --key without:${first ?? ''}=VARIABLE` };
    // A scope is asked for in one place, so that a run with few requests only looks at the lists.
    if (context.quick && operation.collection === undefined)
      return candidate('keys/scopes', 'scope-unchecked', roomInQuickRun, { scope: scopesOf(operation).join(' and ') });
    const call = await example();
    return known.map((scope) => ({
      call: { ...call, as: `without:${scope}` },
      what: `a key without the scope ${scope}`,
      mutant: mutantOf('keys/scopes', 'scope-unchecked', { scope }, scope),
    }));
  },
});

/** The scopes that every way of asking needs. */
function scopesOf({ security }: Operation): readonly string[] {
  const [first = [], ...others] = security;
  const needed = first.flatMap((credential) => credential.scopes);
  return [...new Set(needed)].filter((scope) => others.every((each) => each.some((credential) => credential.scopes.includes(scope))));
}

const conditional: Rule = {
  id: 'keys/conditional',
  title: 'A current tag does not replace a valid key',
  why: 'A 304 shows a caller without a key that the record exists and has not changed.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) && operation.responses.has('304') ? securityPlace(operation) : undefined),
  examine: async (context, operation) => {
    const call = await exampleCall(context, operation);
    const tagged = usableTag(await context.ask(call));
    const callers = callersFor(context, call);
    const mutants = callers.map((who): Candidate => ({ ...opening(who), missing: 'something that can be read, with a tag' }));
    return examineInTurn(mutants, callers, async (who) => {
      if (tagged === undefined) return undefined;
      const asked = { ...call, as: who.as };
      const [reply, plain] = [await context.ask(withTag(asked, tagged)), await context.ask(asked)];
      return () => judgeConditional(who, reply, plain);
    });
  },
};

interface Caller {
  readonly as: string;
  readonly what: string;
}

/** Callers to be refused: an anonymous one, and, where a run has the key, one without the scope. */
function callersFor({ keys, quick }: RunContext, { operation }: Call): readonly Caller[] {
  const scopes = [...new Set(operation.security.flat().flatMap((credential) => credential.scopes))];
  const [lacking] = scopes.map((scope) => `without:${scope}`).filter((role) => keys.has(role));
  const bare: Caller = { as: anonymous, what: 'no key' };
  return lacking === undefined || quick || operation.resource?.by.size === 0
    ? [bare]
    : [bare, { as: lacking, what: `a key ${lacking.replace(':', ' the scope ')}` }];
}

function opening({ as, what }: Caller): MutantIdentity {
  return mutantOf('keys/conditional', 'unchanged-before-key', { key: what }, as);
}

function judgeConditional(who: Caller, reply: Reply, plain: Reply): Judgement {
  const { status } = reply.response;
  if (status >= 400) return agrees(opening(who));
  // An operation that is open without a tag is open with one.
  if (isSuccess(plain)) return reportedBy(who.as === anonymous ? 'keys/missing' : 'keys/scopes');
  return contradicts({
    replies: [plain, reply],
    expected: `${reply.call.operation.id} with a current tag and ${who.what} must be refused, as without the tag`,
    actual: `the status is ${status}`,
    mutant: opening(who),
  });
}

const demanded = candidate('keys/none-needed', 'key-demanded', 'a record that is listed');

const noneNeeded: Rule = {
  id: 'keys/none-needed',
  title: 'Public operations need no key',
  why: 'Public pages load without a key. They stay empty when one is suddenly required.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) ? undefined : operation.place),
  examine: async (context, operation) => {
    const call = await exampleFor(context, operation);
    const reply = call === undefined ? undefined : await context.ask(call);
    return { mutants: [demanded], judge: () => reply && judgeDemand(reply) };
  },
};

/** The answer to an anonymous caller for an unlisted record is often open, so only a listed one is requested. */
async function exampleFor(context: RunContext, operation: Operation): Promise<Call | undefined> {
  const list = context.listOf(operation);
  if (operation.resource !== undefined && list !== undefined && (await context.snapshot(list)).records.length === 0) return undefined;
  const call = await exampleCall(context, operation);
  // Without any documented key the request is the same for everybody, and other rules have asked it already.
  return operation.security.length === 0 ? call : { ...call, as: anonymous };
}

function judgeDemand(reply: Reply): Judgement {
  const { status } = reply.response;
  if (status !== 401 && status !== 403) return agrees(demanded);
  return contradicts({
    replies: [reply],
    expected: `${reply.call.operation.id} must respond without a key`,
    actual: `the status is ${status}`,
    mutant: demanded,
  });
}

/** The rules, in the order in which a run looks at them. */
export const keys: readonly Rule[] = [missing, unknown, expired, carriers, scopes, conditional, noneNeeded];
