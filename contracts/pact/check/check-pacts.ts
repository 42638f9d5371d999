/** Checks pacts against contracts, without a server, for `pact check` and for `diff` with pacts. The caller reads all files. */

import { didYouMean } from '../../../core/did-you-mean.ts';
import { UsageError } from '../../../core/errors.ts';
import type { HttpRequest } from '../../../core/http/exchange.ts';
import { printJson } from '../../../core/json.ts';
import { getOrCompute, memoize } from '../../../core/memo.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { documentsStatus, type Operation, type ResponseRule, responseFor } from '../../../core/openapi/operation.ts';
import { listMethods, routeTo } from '../../../core/openapi/route-request.ts';
import { acceptsStatus } from '../../../core/pact/accepted-status.ts';
import { interpretState, listUnrecognisedStates, type StateMeanings } from '../../../core/pact/interpret-state.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import { encodePath } from '../../../core/parameters/query-string.ts';
import { readRequest } from '../../../core/parameters/read-request.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../../core/results/pact-check-result.ts';
import { createInclusions } from '../../../generators/schema-inclusion.ts';
import { today } from '../../system-clock.ts';
import { joinDigests } from '../../verify/violation-fingerprint.ts';
import { hasExpired, noteIdleWaiver, type WaiverEntry, waiverOf } from '../../verify/waivers.ts';
import { checkExpectedBody } from './check-expected-body.ts';
import { checkExpectedHeaders } from './check-expected-headers.ts';
import { checkCause, checkDocumentedStatus, checkOtherStatuses } from './check-expected-status.ts';
import { checkAccept, checkRequestBody } from './check-request.ts';
import { createFinding, type FindingMessage, identityOf } from './create-finding.ts';
import type { CheckContext, InteractionContext } from './interaction-context.ts';

/** Input of `checkPacts`. */
export interface CheckPactsOptions {
  /** Each pact with its provider's contract. */
  readonly pairs: readonly {
    /** The pact. */
    readonly pact: Pact;
    /** The provider's contract. */
    readonly contract: Contract;
    /** The contract before its change, if it is known. */
    readonly old?: Contract | undefined;
    /** The contract before a profile answered its questions, if one did. */
    readonly unanswered?: Contract | undefined;
  }[];
  /** Files that were not checked; they are listed in the result. */
  readonly skipped?: PactCheck['skipped'];
  /** Meanings of provider states with names of no known form. */
  readonly states?: StateMeanings;
  /** Known findings that do not count, from `readWaivers`; none by default. */
  readonly waivers?: readonly WaiverEntry[];
  /** Today as `2026-12-31`, for expiring waivers; the current day in UTC by default. */
  readonly today?: string;
}

/**
 * Checks, without a server, that each request is valid and that the contract guarantees each expectation.
 * @throws {UsageError} when the pacts hold no HTTP interaction, or for a state with a meaning that the contract does not know.
 * @example
 * ```ts
 * import { checkPacts, contractFile, loadContract, readPacts } from 'touchstone/pact';
 *
 * const contract = await loadContract(contractFile('wiki'));
 * const { pacts } = await readPacts(['pacts']);
 * const { count } = await checkPacts({ pairs: pacts.map((pact) => ({ pact, contract })) });
 * ```
 */
export async function checkPacts({
  pairs,
  skipped = [],
  states: meanings = {},
  waivers = [],
  today: day = today(),
}: CheckPactsOptions): Promise<PactCheck> {
  if (pairs.every(({ pact }) => pact.interactions.length === 0))
    throw new UsageError('the pacts contain no HTTP interaction, so there is nothing to check; name other pacts');
  const inclusionsOf = memoize((contract: Contract) => createInclusions(contract.closed));
  const reading = { meanings, canGuess: true };
  const uses = pairs.flatMap(({ pact, contract }) => pact.interactions.map((interaction) => ({ contract, interaction })));
  const states = listUnrecognisedStates(uses, reading);
  const checkedPacts: CheckedPact[] = [];
  const check = (pact: Pact, contract: Contract, blame?: string): CheckedPact =>
    checkPact({ pact, contract, inclusions: inclusionsOf(contract), states: reading, blame });
  const isWrong = ({ interactions: checked }: CheckedPact): boolean => checked.some(({ findings: problems }) => problems.length > 0);
  for (const { pact, contract, old, unanswered } of pairs) {
    const judge = (blame?: string): CheckedPact => {
      const checked = check(pact, contract, blame);
      return unanswered !== undefined && isWrong(checked) ? withoutOtherAnswers(checked, check(pact, unanswered)) : checked;
    };
    const checked = judge();
    checkedPacts.push(old !== undefined && isWrong(checked) ? markPromised(checked, check(pact, old), judge) : checked);
  }
  const valid = waivers.filter((entry) => !hasExpired(entry, day));
  const pacts = checkedPacts.map((pact) => ({ ...pact, interactions: pact.interactions.map((each) => waive(each, valid)) }));
  const interactions = pacts.flatMap((each) => each.interactions);
  const notPending = interactions.filter((each) => !each.pending);
  const all = notPending.flatMap((each) => each.findings);
  const findings = all.filter(isUnwaived);
  const countGrade = (grade: PactFinding['grade']): number => findings.filter((each) => each.grade === grade).length;
  return {
    pacts,
    states,
    skipped,
    expectations: countExpectations(interactions),
    count: {
      interactions: interactions.length,
      wrong: notPending.filter((each) => each.findings.some(isUnwaived)).length,
      impossible: countGrade('impossible'),
      notGuaranteed: countGrade('not-guaranteed'),
      pending: interactions.flatMap((each) => each.findings).length - all.length,
      waived: all.length - findings.length,
    },
    notes: waivers.flatMap((entry) => explainIdle(entry, pacts, day)),
  };
}

/** Counts what is guaranteed: expectations without a finding and without a remark. */
function countExpectations(interactions: readonly CheckedInteraction[]): PactCheck['expectations'] {
  let [total, guaranteed, notCompared] = [0, 0, 0];
  for (const { expectations, findings, remarks } of interactions) {
    const failed = new Set(findings.map(({ pointer }) => pointer));
    const open = new Set(remarks.flatMap(({ kind, pointer }) => (kind === 'not-compared' && !failed.has(pointer) ? [pointer] : [])));
    total += expectations;
    notCompared += open.size;
    guaranteed += Math.max(0, expectations - failed.size - open.size);
  }
  return { total, guaranteed, notCompared };
}

function isUnwaived({ waiver }: PactFinding): boolean {
  return waiver === undefined;
}

function waive(interaction: CheckedInteraction, waivers: readonly WaiverEntry[]): CheckedInteraction {
  const findings = interaction.findings.map((finding) => {
    const entry = waivers.find(({ fingerprint }) => fingerprint === finding.fingerprint);
    return entry === undefined ? finding : { ...finding, waiver: waiverOf(entry) };
  });
  return { ...interaction, findings };
}

/** Explains a waiver that has no effect. One of an unknown interaction is not explained: it may belong to another pact, or to `verify`. */
function explainIdle(entry: WaiverEntry, pacts: readonly CheckedPact[], day: string): readonly string[] {
  const { fingerprint } = entry;
  const interactionDigest = fingerprint.replace(/[^-]*$/, '');
  const waivedInteractions = pacts.flatMap(({ consumer, interactions }) =>
    interactions.filter((each) => joinDigests(identityOf(consumer, each), '').startsWith(interactionDigest)),
  );
  const [first] = waivedInteractions;
  if (first === undefined) return [];
  return noteIdleWaiver(entry, day, {
    name: printJson(first.description),
    isReported: waivedInteractions.some(({ findings }) => findings.some((each) => each.fingerprint === fingerprint)),
    state: first.findings.length > 0 ? 'has other findings' : 'holds',
  });
}

function checkPact(context: Omit<InteractionContext, 'interaction' | 'sent'>): CheckedPact {
  const { pact, contract } = context;
  const { file, consumer, provider, others } = pact;
  return {
    file,
    consumer,
    provider,
    contract: { name: contract.name, title: contract.title, version: contract.version, file: contract.document.file },
    interactions: pact.interactions.map((interaction) => checkInteraction({ ...context, interaction, sent: sentRequest(interaction) })),
    others,
  };
}

/** Removes findings on examples that only the answers of a profile exclude: a pact may show another answer if its rules accept the chosen one. */
function withoutOtherAnswers(checked: CheckedPact, unanswered: CheckedPact): CheckedPact {
  const interactions = checked.interactions.map((interaction, index) => {
    const isWrongAnyway = ({ pointer }: PactFinding): boolean =>
      unanswered.interactions[index]?.findings.some((each) => each.id === 'response/example' && each.pointer === pointer) === true;
    return { ...interaction, findings: interaction.findings.filter((each) => each.id !== 'response/example' || isWrongAnyway(each)) };
  });
  return { ...checked, interactions };
}

/** Marks the findings that the earlier contract does not have: the change of the contract causes them, not the pact, and they are judged again to say so. */
function markPromised(checked: CheckedPact, before: CheckedPact, judge: (blame: string) => CheckedPact): CheckedPact {
  const { version, file } = before.contract;
  const blamed = judge(`version ${version} of the contract (${file}) promised it, so the change breaks this consumer`);
  const interactions = checked.interactions.map((interaction, index) => {
    const earlier = before.interactions[index];
    if (earlier?.operation === undefined) return interaction;
    const findings = interaction.findings.map((finding, at) => {
      const isKnown = earlier.findings.some(
        ({ pointer, grade }) => pointer === finding.pointer && (grade === 'impossible' || grade === finding.grade),
      );
      const blaming = isKnown ? undefined : blamed.interactions[index]?.findings[at];
      return blaming === undefined ? finding : { ...blaming, promised: { version, file } };
    });
    return { ...interaction, findings };
  });
  return { ...checked, interactions };
}

function checkInteraction(context: InteractionContext): CheckedInteraction {
  const { interaction, contract, sent } = context;
  const route = routeTo(contract.operations, sent.method, sent.target);
  const { operation, expectations, findings, remarks } =
    route.kind === 'operation'
      ? checkOperation(context, route)
      : { operation: undefined, expectations: 1, findings: [explainRoute(context)], remarks: [] };
  const { description, states, isPending, request, response, pointer, place } = interaction;
  return {
    description,
    states: states.map(({ name }) => name),
    request: `${request.method} ${request.path}`,
    status: response.status,
    pending: isPending,
    pointer,
    place,
    operation,
    expectations,
    findings,
    remarks,
  };
}

function checkOperation(
  context: InteractionContext,
  { operation, segments }: Extract<ReturnType<typeof routeTo>, { readonly kind: 'operation' }>,
): Pick<CheckedInteraction, 'operation' | 'expectations' | 'findings' | 'remarks'> {
  const conditions = context.interaction.states.map((state) => interpretState(context.contract, state, context.states));
  const { response } = context.interaction;
  const [first = response.status, ...others] = statusesOf(context.interaction, operation);
  const withStatus = (status: number): CheckContext => ({
    ...context,
    interaction: { ...context.interaction, response: { ...response, status } },
    operation,
    reading: readRequest(operation, context.sent, segments),
    conditions: conditions.filter((condition) => condition !== undefined),
    allStatesKnown: !conditions.includes(undefined),
    hasExample: status === first,
  });
  const checkContext = withStatus(first);
  const [headers, body] = [checkExpectedHeaders(checkContext), checkExpectedBody(checkContext)];
  const more = others.map(withStatus).flatMap((each) => [checkExpectedHeaders(each), checkExpectedBody(each)]);
  const checks = [checkCause, checkAccept, checkDocumentedStatus];
  const findings = [...checks.flatMap((check) => check(checkContext)), ...headers.findings, ...body.findings];
  const isNew = ({ pointer }: PactFinding): boolean => !findings.some((each) => each.pointer === pointer);
  const further = new Map(more.flatMap((each) => each.findings.filter(isNew)).map((each) => [each.fingerprint, each]));
  return {
    operation: operation.id,
    // The request and the status are expectations too.
    expectations: 2 + headers.count + body.count,
    findings: [...findings, ...[...further.values()].map((each) => ({ ...each, grade: 'not-guaranteed' as const }))],
    remarks: [
      ...checkRequestBody(checkContext).remarks,
      ...checkOtherStatuses(checkContext),
      ...[headers, body, ...more].flatMap((each) => each.remarks),
    ],
  };
}

/** The statuses that a pact accepts, one for each documented response: that of the example first. */
function statusesOf({ response }: Interaction, operation: Operation): readonly number[] {
  const { status, matching } = response;
  const { status: rule } = matching;
  if (rule === undefined) return [status];
  const all = [status, ...Array.from({ length: 500 }, (_, index) => 100 + index)];
  const accepted = all.filter((each) => acceptsStatus(rule, each) && documentsStatus(operation, each));
  const byResponse = new Map<ResponseRule | undefined, number>();
  for (const each of accepted) getOrCompute(byResponse, responseFor(operation, each), () => each);
  return [...byResponse.values()];
}

function explainRoute(context: InteractionContext): PactFinding {
  const { operations, title, place } = context.contract;
  const { path, method } = context.interaction.request;
  const methods = listMethods(operations, context.sent.target);
  const advice = didYouMean(
    path,
    operations.map((operation) => operation.path),
    'correct the path, or add the operation to the contract',
  );
  const message: FindingMessage =
    methods.length > 0
      ? [`${title} has no ${method} at ${path}, only ${methods.join(', ')}`, 'use one of these, or add the operation to the contract']
      : [`${title} has no operation at ${path}`, advice];
  const keys = ['request', methods.length > 0 ? 'method' : 'path'];
  return createFinding(context, keys, { id: 'request/operation', grade: 'impossible', message, clause: place });
}

/** Builds the request of an interaction, with example values in place of generated ones. */
function sentRequest({ request: { method, path, query, headers } }: Interaction): HttpRequest {
  const pairs = [...query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`)).join('&');
  const encoded = encodePath(path);
  const joined = [...headers].map(([name, values]) => [name, values.join(', ')] as const);
  return { method, target: pairs === '' ? encoded : `${encoded}?${pairs}`, headers: Object.fromEntries(joined) };
}

/** Leaves commas as they are, since they separate list items. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}
