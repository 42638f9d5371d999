/** Rules of the group `keys`: the requests that a key opens, its carriers, and the requests that it must not open. */

import { printJson } from '../../../core/json.ts';
import { type MutantIdentity, mutantOf } from '../../../core/mutants/mutant-catalogue.ts';
import { securityPlace } from '../../../core/openapi/clauses.ts';
import {
  type Credential,
  documentsCondition,
  documentsStatus,
  isPlain,
  needsKey,
  type Operation,
  statusOf,
} from '../../../core/openapi/operation.ts';
import { type Call, isSuccess, type Reply } from '../evidence/call.ts';
import { anonymous, keyFor, leavingOut, unknownCaller } from '../evidence/callers.ts';
import { describePlace, differencesBetween, isStatus, lastingDifferences } from '../evidence/compare-replies.ts';
import { usableTag, withTag } from '../evidence/entity-tag.ts';
import { nearlyRightKeysOf, withKey } from '../evidence/nearly-right-keys.ts';
import type { RoundContext } from '../evidence/round-context.ts';
import { exampleCall, findRecordList } from '../evidence/single-record-calls.ts';
import { examineRequests, type RequestExpectation } from './examinations/examine-requests.ts';
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
  roomInQuickRun,
  type Untestable,
  withoutData,
  withoutKey,
} from './rule.ts';

/** The reason why a key must not open an operation. */
type KeyCondition = 'unauthenticated' | 'forbidden';

/** A request whose key must be refused, and the mutant that accepts it. */
interface KeyAttempt {
  readonly call: Call;
  /** The key, as a noun. */
  readonly what: string;
  readonly mutant: MutantIdentity;
}

const successMissing = 'a request that succeeds with the full key';

/** Sends a request with keys that must be refused, and judges the responses. The full key shows that the request itself is valid. */
async function examineKeyRefusals(
  context: RoundContext,
  call: Call,
  condition: KeyCondition,
  attempts: readonly KeyAttempt[],
): Promise<Examination> {
  const fullKeyReply = await context.ask(call);
  const { status } = fullKeyReply.response;
  const mutants = attempts.map(
    ({ mutant }): Candidate =>
      isSuccess(fullKeyReply) ? withoutData(mutant) : { ...mutant, missing: successMissing, actualStatus: status },
  );
  return examineInTurn(context, mutants, attempts, async (attempt) => {
    const reply = await context.ask(attempt.call);
    const isUnexpected = isSuccess(fullKeyReply) && !isSuccess(reply) && !isRefusal(call.operation, condition, reply.response.status);
    // A record that was deleted during the run is absent for every caller.
    const after = isUnexpected ? await context.askAgain(call) : undefined;
    return () =>
      after === undefined || isSuccess(after) || reply.response.status >= 500
        ? judgeAttempt(condition, attempt, reply, fullKeyReply)
        : dataMoved(`${call.operation.id} stopped succeeding with the full key`);
  });
}

function judgeAttempt(
  condition: KeyCondition,
  { call: { operation }, what, mutant }: KeyAttempt,
  reply: Reply,
  fullKeyReply: Reply,
): Judgement | undefined {
  const { status } = reply.response;
  if (isRefusal(operation, condition, status)) return agrees(mutant);
  if (status >= 500) return reportedBy('response/no-server-error');
  if (!isSuccess(reply) && !isSuccess(fullKeyReply)) return undefined;
  const expected = statusOf(operation, condition);
  return contradicts({
    replies: [reply],
    expected: `${operation.id} with ${what} must ${documentsStatus(operation, expected) ? `respond with ${expected}` : 'be rejected'}`,
    actual: `the status is ${status}`,
    mutant: isSuccess(reply) ? mutant : undefined,
  });
}

/** A plain file often documents 403 beside 401, or neither, and so leaves open which of them a key gets. */
function isRefusal(operation: Operation, condition: KeyCondition, status: number): boolean {
  if (status === statusOf(operation, condition)) return true;
  if (!isPlain(operation) || status < 400 || status >= 500) return false;
  return !operation.responses.has(String(statusOf(operation, condition))) || (status === 403 && documentsStatus(operation, 403));
}

/** A rule about a successful request that is sent again with another key. */
interface KeyRefusalRule extends Omit<Rule, 'clause' | 'examine'> {
  readonly condition: KeyCondition;
  readonly applies?: (operation: Operation) => boolean;
  /** The requests. If none can be sent: the setting that a run needs, or the mutant that stays alive. */
  readonly attempts: (
    context: RoundContext,
    example: () => Promise<Call>,
    operation: Operation,
  ) => Promise<readonly KeyAttempt[] | Untestable | Candidate>;
}

/** An attempt with its key in each documented carrier, since each may be checked by code of its own. */
function inEachCarrier(attempt: KeyAttempt): readonly KeyAttempt[] {
  const { call, what } = attempt;
  if (call.as === anonymous || call.as === undefined || call.carrier !== undefined) return [attempt];
  const carriers = call.operation.security.filter((alternative) => alternative.length > 0);
  return carriers.map((carrier, index) =>
    index === 0
      ? attempt
      : { ...attempt, call: { ...call, carrier: index }, what: `${what} in ${carrier.map(nameCarrier).join(' with ')}` },
  );
}

/** Makes a rule about refused keys. */
function keyRefusalRule({ condition, applies = needsKey, attempts, ...rule }: KeyRefusalRule): Rule {
  return {
    ...rule,
    clause: (operation) =>
      applies(operation) && (documentsCondition(operation, condition) || (isPlain(operation) && condition === 'unauthenticated'))
        ? securityPlace(operation)
        : undefined,
    examine: async (context, operation) => {
      const keyAttempts = await attempts(context, () => exampleCall(context, operation), operation);
      if ('untestable' in keyAttempts) return keyAttempts;
      if ('missing' in keyAttempts) return { mutants: [keyAttempts], judge: () => [] };
      const allAttempts = context.quick ? keyAttempts : keyAttempts.flatMap(inEachCarrier);
      return examineKeyRefusals(context, await exampleCall(context, operation), condition, allAttempts);
    },
  };
}

const missingKey = keyRefusalRule({
  id: 'keys/missing',
  title: 'A request without a key is rejected with 401',
  why: 'An operation that responds without a key is open to everybody.',
  strength: 'stated',
  condition: 'unauthenticated',
  attempts: async (context, example, { id }) => {
    const call = await example();
    const emptyKeyCall = representativeOperation(context)?.id === id ? withKey(call, '') : undefined;
    return [
      {
        call: { ...call, as: anonymous },
        what: 'no key',
        mutant: mutantOf('missing-key-accepted'),
      },
      ...eachLeftOut(context, call),
      ...(emptyKeyCall === undefined ? [] : [{ call: emptyKeyCall, what: 'an empty key', mutant: mutantOf('empty-key-accepted') }]),
    ];
  },
});

/** A request with several keys, each of them left out once. */
function eachLeftOut({ keys }: RoundContext, call: Call): readonly KeyAttempt[] {
  const [together = [], ...others] = call.operation.security.filter((alternative) => alternative.length > 0);
  const isSent = together.length > 1 && together.every(({ scheme }) => keyFor(keys, 'full', scheme) !== undefined);
  const schemes = isSent ? together.map(({ scheme }) => scheme) : [];
  // What is left may be enough for another alternative.
  const isEnough = (left: readonly string[]): boolean => others.some((each) => each.every(({ scheme }) => left.includes(scheme)));
  return schemes
    .filter((scheme) => !isEnough(schemes.filter((each) => each !== scheme)))
    .map((scheme) => ({
      call: { ...call, carrier: 0, as: leavingOut(scheme) },
      what: `no key for ${scheme}`,
      mutant: mutantOf('key-left-out-accepted', { scheme }, scheme),
    }));
}

const unknownKey = keyRefusalRule({
  id: 'keys/unknown',
  title: 'A key that was never issued is rejected with 401',
  why: 'A server that only checks for the presence of a key is open to everybody.',
  strength: 'stated',
  condition: 'unauthenticated',
  attempts: async (context, example, operation) => {
    if (!isIncludedInRun(context, operation)) return candidate('unknown-key-accepted', roomInQuickRun);
    const call = await example();
    const mutant = mutantOf('unknown-key-accepted');
    return [
      { call: { ...call, as: unknownCaller }, what: 'a key that was never issued', mutant },
      ...(representativeOperation(context)?.id === operation.id ? keyVariantAttempts(context, call) : []),
    ];
  },
});

/** Keys that differ only slightly from the valid one, such as in case. Outputs hide them like the key itself. */
function keyVariantAttempts(context: RoundContext, call: Call): readonly KeyAttempt[] {
  const [credential] = call.operation.security.find((alternative) => alternative.length > 0) ?? [];
  const key = keyFor(context.keys, 'full', credential?.scheme ?? '');
  if (key === undefined || context.quick) return [];
  return nearlyRightKeysOf(key).flatMap(({ kind, value }) => {
    const variantCall = withKey(call, value);
    const what = kind === 'key-case-ignored' ? 'the key in the other case' : 'the beginning of the key';
    return variantCall === undefined ? [] : [{ call: variantCall, what, mutant: mutantOf(kind) }];
  });
}

const expiredKey = keyRefusalRule({
  id: 'keys/expired',
  title: 'An expired key is rejected with 401',
  why: 'Expiry limits the damage of a lost key. Accepting an expired key defeats that.',
  strength: 'stated',
  slow: true,
  condition: 'unauthenticated',
  attempts: async (context, example, operation) => {
    if (!context.keys.has('expired')) return withoutKey('expired', 'an expired key');
    if (!isIncludedInRun(context, operation)) return candidate('expired-key-accepted', roomInQuickRun);
    return [{ call: { ...(await example()), as: 'expired' }, what: 'an expired key', mutant: mutantOf('expired-key-accepted') }];
  },
});

const equalCarriers: Rule = {
  id: 'keys/carriers',
  title: 'A key works the same in every carrier',
  why: 'Clients choose the carrier that their tools can send. The same key must give the same access in each.',
  strength: 'stated',
  slow: true,
  clause: (operation) => (needsKey(operation) && carriersOf(operation).length > 1 ? securityPlace(operation) : undefined),
  examine: async (context, operation) => {
    const [usualCarrier = '', ...otherCarriers] = carriersOf(operation);
    const isIncluded = isIncludedInRun(context, operation);
    const missing = isIncluded ? successMissing : roomInQuickRun;
    const mutants = [
      carrierIgnored(usualCarrier, missing),
      ...otherCarriers.flatMap((other) => [carrierIgnored(other, missing), carrierOfOtherKey(other, missing)]),
    ];
    return examineInTurn(context, mutants, isIncluded ? otherCarriers : [], async (other) => {
      const example = await exampleCall(context, operation);
      const [usualCall, otherCall] = [
        { ...example, carrier: 0 },
        { ...example, carrier: otherCarriers.indexOf(other) + 1 },
      ] as const;
      const [first, second] = [await context.ask(usualCall), await context.ask(otherCall)];
      const names = [usualCarrier, other] as const;
      if (differencesBetween(first, second, carrierComparison).length === 0) return () => agreeOnCarriers(names, first, second);
      // Repeat both, because the data may have changed between the two responses.
      const again = [await context.askAgain(usualCall), await context.askAgain(otherCall)] as const;
      return () => judgeCarriers(names, [first, again[0]], [second, again[1]]);
    });
  },
};

/** The documented carriers; none if their scopes differ or one carries a token of OAuth, since they are not equivalent then. */
function carriersOf({ security }: Operation): readonly string[] {
  const alternatives = security.filter((each) => each.length > 0);
  if (alternatives.some((each) => each.some(({ isToken }) => isToken))) return [];
  const scopes = new Set(alternatives.map((each) => printJson(each.flatMap((credential) => credential.scopes).toSorted())));
  return scopes.size > 1 ? [] : alternatives.map((each) => each.map(nameCarrier).join(' with '));
}

function nameCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word}` : `the ${carrier.in} ${carrier.name}`;
}

function carrierIgnored(name: string, missing = ''): Candidate {
  return candidate('carrier-ignored', missing, { carrier: name }, name);
}

function carrierOfOtherKey(name: string, missing = ''): Candidate {
  return candidate('carrier-of-other-key', missing, { carrier: name }, name);
}

/** Two carriers must get the same status, body and ETag. */
const carrierComparison = { headers: ['etag'] };

function isKeyAccepted({ response: { status } }: Reply): boolean {
  return status !== 401;
}

/** The first documented carrier, and the one compared with it. */
type Carriers = readonly [usual: string, other: string];

function agreeOnCarriers([usual, other]: Carriers, one: Reply, two: Reply): Judgement {
  return agrees(
    ...(isKeyAccepted(one) ? [carrierIgnored(usual)] : []),
    ...(isKeyAccepted(two) ? [carrierIgnored(other)] : []),
    ...(isSuccess(two) ? [carrierOfOtherKey(other)] : []),
  );
}

function judgeCarriers(names: Carriers, first: readonly [Reply, Reply], second: readonly [Reply, Reply]): Judgement {
  const [usual, other] = names;
  const [one] = first;
  const [two] = second;
  const { id } = one.call.operation;
  const lastingPlaces = lastingDifferences(first, second, carrierComparison);
  if (lastingPlaces.length === 0) {
    const isUnstable = [first, second].some(([left, right]) => differencesBetween(left, right, carrierComparison).some(isStatus));
    return isUnstable ? dataMoved(`${id} responds differently each time`) : agreeOnCarriers(names, one, two);
  }
  const ignoredCarrier = isKeyAccepted(two) ? (isKeyAccepted(one) ? undefined : usual) : other;
  return contradicts({
    replies: [one, two],
    expected: `${id} must respond the same to a key in ${usual} and in ${other}`,
    actual: lastingPlaces.some(isStatus)
      ? `the statuses are ${one.response.status} and ${two.response.status}`
      : `the responses differ in ${lastingPlaces.slice(0, 3).map(describePlace).join(', ')}`,
    mutant: ignoredCarrier === undefined ? carrierOfOtherKey(other) : carrierIgnored(ignoredCarrier),
  });
}

const missingScope = keyRefusalRule({
  id: 'keys/scopes',
  title: 'A key that lacks the scope is rejected with 403',
  why: 'Scopes limit a key to its task.',
  strength: 'stated',
  condition: 'forbidden',
  applies: (operation) => scopesOf(operation).length > 0,
  attempts: async (context, example, operation) => {
    const requiredScopes = scopesOf(operation);
    const testableScopes = requiredScopes.filter((scope) => context.keys.has(`without:${scope}`));
    const [first] = requiredScopes;
    if (testableScopes.length === 0) return withoutKey(`without:${first ?? ''}`, `a key without the scope ${first ?? ''}`);
    // Servers usually check scopes in one place, so quick runs test lists only.
    if (context.quick && operation.collection === undefined)
      return candidate('scope-unchecked', roomInQuickRun, { scope: requiredScopes.join(' and ') });
    const call = await example();
    return testableScopes.map((scope) => ({
      call: { ...call, as: `without:${scope}` },
      what: `a key without the scope ${scope}`,
      mutant: mutantOf('scope-unchecked', { scope }, scope),
    }));
  },
});

/** The scopes that every alternative of `security` requires. */
function scopesOf({ security }: Operation): readonly string[] {
  const [first = [], ...others] = security;
  const firstScopes = first.flatMap((credential) => credential.scopes);
  return [...new Set(firstScopes)].filter((scope) => others.every((each) => each.some((credential) => credential.scopes.includes(scope))));
}

const keyBeforeTag: Rule = {
  id: 'keys/conditional',
  title: 'A current tag does not replace a valid key',
  why: 'A 304 shows a caller without a key that the record exists and has not changed.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) && operation.responses.has('304') ? securityPlace(operation) : undefined),
  examine: async (context, operation) => {
    const call = await exampleCall(context, operation);
    const tag = usableTag(await context.ask(call));
    const callers = refusedCallers(context, call);
    const mutants = callers.map(unchangedBeforeKey);
    if (tag === undefined) return { mutants, judge: () => [] };
    const expectations: RequestExpectation[] = [];
    for (const caller of callers) {
      const callAs = { ...call, as: caller.as };
      const plain = await context.ask(callAs);
      expectations.push({
        call: withTag(callAs, tag),
        what: `a current tag and ${caller.what}`,
        must: 'be rejected, as without the tag',
        isRight: ({ response }) => response.status >= 400,
        mutants: [unchangedBeforeKey(caller)],
        // If the plain request succeeds too, the tag is not the cause.
        doubt: () => (isSuccess(plain) ? reportedBy(caller.as === anonymous ? 'keys/missing' : 'keys/scopes') : undefined),
        before: plain,
      });
    }
    return examineRequests(context, expectations);
  },
};

/** A caller that must be refused, and its key as a noun. */
interface RefusedCaller {
  readonly as: string;
  readonly what: string;
}

/** Callers that must be refused: an anonymous one, and one without the scope if the run has such a key. */
function refusedCallers({ keys, quick }: RoundContext, { operation }: Call): readonly RefusedCaller[] {
  const scopes = [...new Set(operation.security.flat().flatMap((credential) => credential.scopes))];
  const [roleWithoutScope] = scopes.map((scope) => `without:${scope}`).filter((role) => keys.has(role));
  const anonymousCaller: RefusedCaller = { as: anonymous, what: 'no key' };
  return roleWithoutScope === undefined || quick || operation.resource?.by.size === 0
    ? [anonymousCaller]
    : [anonymousCaller, { as: roleWithoutScope, what: `a key ${roleWithoutScope.replace(':', ' the scope ')}` }];
}

function unchangedBeforeKey({ as, what }: RefusedCaller): Candidate {
  return candidate('unchanged-before-key', 'a successful response with an ETag', { key: what }, as);
}

const keyDemanded = candidate('key-demanded', 'a record that is listed');

const noKeyNeeded: Rule = {
  id: 'keys/none-needed',
  title: 'Public operations need no key',
  why: 'Public pages load without a key. They stay empty if one is suddenly required.',
  strength: 'stated',
  clause: (operation) => (needsKey(operation) ? undefined : operation.place),
  examine: async (context, operation) => {
    const call = await exampleWithoutKey(context, operation);
    const isRight = ({ response: { status } }: Reply): boolean => status !== 401 && status !== 403;
    const expectations = call === undefined ? [] : [{ call, what: 'no key', must: 'not ask for one', isRight, mutants: [keyDemanded] }];
    return examineRequests(context, expectations, [keyDemanded]);
  },
};

/** A request for a listed record. The contract often leaves open how unlisted records respond without a key. */
async function exampleWithoutKey(context: RoundContext, operation: Operation): Promise<Call | undefined> {
  const list = findRecordList(operation, context.contract);
  if (list !== undefined && (await context.snapshot(list)).records.length === 0) return undefined;
  const call = await exampleCall(context, operation);
  // Without a documented key every caller sends the same request, which other rules have sent already.
  return operation.security.length === 0 ? call : { ...call, as: anonymous };
}

/** The rules, in the order of a run. */
export const apiKeyRules: readonly Rule[] = [missingKey, unknownKey, expiredKey, equalCarriers, missingScope, keyBeforeTag, noKeyNeeded];

/** The operation with a key that represents all others where one is enough: a list if possible, because it needs no identifier. */
function representativeOperation({ contract }: RoundContext): Operation | undefined {
  const operationsWithKey = contract.operations.filter((operation) => operation.method === 'GET' && needsKey(operation));
  return operationsWithKey.find((operation) => operation.collection !== undefined) ?? operationsWithKey[0];
}

/** True if a run examines an operation for a rule that is the same at all operations: a quick run examines only one. */
function isIncludedInRun(context: RoundContext, operation: Operation): boolean {
  return !context.quick || representativeOperation(context)?.id === operation.id;
}
