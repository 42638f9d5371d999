/**
 * Checks the status that a pact expects: the contract must document it, and the request or a provider state must cause it. An unknown state may cause any
 * failure.
 */

import { questionsBelow } from '../../../core/annotations/open-questions.ts';
import { questionAboutProblem } from '../../../core/annotations/question-behind-problem.ts';
import { headerOf } from '../../../core/http/exchange.ts';
import { type Operation, responseFor, statusOf } from '../../../core/openapi/operation.ts';
import { acceptsStatus } from '../../../core/pact/accepted-status.ts';
import { nounsOf, type StateCondition } from '../../../core/pact/state-condition.ts';
import { isQueryGenerated } from '../../../core/pact/state-generators.ts';
import type { PactFinding, PactRemark } from '../../../core/results/pact-check-result.ts';
import { carriesKey, checkRequest, checkRequestBody } from './check-request.ts';
import { createFinding, type FindingDraft, type FindingMessage, notCompared } from './create-finding.ts';
import type { CheckContext } from './interaction-context.ts';

/** Checks that the expected status follows from the request and the states. */
export function checkCause(context: CheckContext): readonly PactFinding[] {
  const { status } = context.interaction.response;
  if (status < 400)
    return [...checkRequest(context), ...checkContradictions(context), ...(status === 304 ? checkConditional(context) : [])];
  const { responses } = context.operation;
  if (!responses.has('default') && otherStatuses(context).length === 0) return [];
  const refusal = status === statusOf(context.operation, 'invalid');
  const draft = refusal ? checkRefusal(context) : explainMissingCause(context);
  return draft === undefined ? [] : [createFinding(context, ['response', 'status'], { ...draft, id: 'response/reason' })];
}

/** Reports a state that makes the operation fail, although the pact expects a success. */
function checkContradictions(context: CheckContext): readonly PactFinding[] {
  const { conditions, operation, interaction } = context;
  const failing = conditions.find((condition) => causesFailure(context, condition));
  if (failing === undefined) return [];
  const name = interaction.states[conditions.indexOf(failing)]?.name ?? '';
  const message: FindingMessage = [
    `the pact expects ${interaction.response.status} from ${operation.id}, but the state "${name}" makes it fail`,
    'expect that failure, or remove the state',
  ];
  return [createFinding(context, ['response', 'status'], { id: 'response/reason', grade: 'impossible', message, clause: operation.place })];
}

/** Checks that a request with an expected 304 is conditional. */
function checkConditional(context: CheckContext): readonly PactFinding[] {
  if (['if-none-match', 'if-modified-since'].some((name) => headerOf(context.sent.headers, name) !== undefined)) return [];
  const message: FindingMessage = [
    `the pact expects 304, but the request is not conditional`,
    'send If-None-Match with the ETag of an earlier response',
  ];
  return [createFinding(context, ['request'], { id: 'response/reason', grade: 'impossible', message, clause: context.operation.place })];
}

/** Checks that a request with an expected refusal has a problem for which the contract refuses it. */
function checkRefusal(context: CheckContext): Omit<FindingDraft, 'id'> | undefined {
  const { reading, operation, contract, allStatesKnown, interaction } = context;
  const { status } = interaction.response;
  const stated = reading.problems.filter((problem) => questionAboutProblem(contract, operation, problem) === undefined);
  if (stated.some(({ answer }) => answer === 'refused') || mayHaveDamagedCursor(context) || !allStatesKnown) return undefined;
  if (checkRequestBody(context).findings.length > 0) return undefined;
  const [firstProblem] = reading.problems;
  const question = firstProblem === undefined ? undefined : questionAboutProblem(contract, operation, firstProblem);
  if (firstProblem !== undefined) {
    const plain = firstProblem.message.replace(/\.$/, '');
    const why =
      question === undefined
        ? `the contract says that it is ${firstProblem.answer}`
        : `the contract does not specify whether it is rejected (${question.question})`;
    return {
      grade: question === undefined ? 'impossible' : 'not-guaranteed',
      message: [
        `the pact expects ${status}, but the only problem of the request is: ${plain}; ${why}`,
        'send a request that the contract rejects',
      ],
      clause: operation.place,
      question,
    };
  }
  const message: FindingMessage = [
    `the pact expects ${status}, but the request is valid`,
    `send one that ${operation.id} rejects, or expect a success`,
  ];
  return { grade: 'impossible', message, clause: operation.place };
}

/** Cursors are opaque: one written by hand, or sent with other filters, may be damaged. */
function mayHaveDamagedCursor({ operation, reading, interaction }: CheckContext): boolean {
  const page = operation.collection?.page;
  if (page?.style !== 'cursor' || !reading.sent.has(page.cursor)) return false;
  return !isQueryGenerated(interaction, page.cursor) || page.fixed.some((name) => reading.sent.has(name));
}

type CauseProblem = Omit<FindingDraft, 'id'> | undefined;

/** Checks the cause of a failure other than a refusal; `undefined` if there is a cause, or may be one. */
function explainMissingCause(context: CheckContext): CauseProblem {
  // An unknown state may be the cause.
  return context.allStatesKnown ? causesByStatus[context.interaction.response.status]?.(context) : undefined;
}

/** Explanations of a missing cause, by status. A status without a documented condition, such as 500, needs no cause. */
const causesByStatus: Readonly<Record<number, (context: CheckContext) => CauseProblem>> = {
  401: explainUnauthenticated,
  403: explainForbidden,
  404: explainNotFound,
  429: (context) => explainUnavailable(context, 'throttled', 'the service allows no more requests'),
  503: (context) => explainUnavailable(context, 'unavailable', 'the service is not ready'),
};

function explainUnauthenticated(context: CheckContext): CauseProblem {
  const { operation, conditions } = context;
  // A 401 of an operation without security has no cause that a contract can state.
  if (operation.security.length === 0 || !carriesKey(context) || conditions.some((condition) => condition.kind === 'key')) return undefined;
  const why = 'the request has a key, and no state says that it is unknown';
  return withoutCause(context, why, 'remove the key, or add a state such as "the key is unknown"');
}

function explainForbidden(context: CheckContext): CauseProblem {
  const scopes = context.operation.security.flat().flatMap((each) => each.scopes);
  const isLacking = context.conditions.some((condition) => condition.kind === 'no-scope' && scopes.includes(condition.scope));
  const [scope] = scopes;
  if (isLacking || scope === undefined) return undefined;
  return withoutCause(context, 'no state says that the key lacks the scope', `add the state "the key lacks the scope ${scope}"`);
}

function explainNotFound(context: CheckContext): CauseProblem {
  const { contract, operation, conditions } = context;
  const { resource, collection } = operation;
  if (conditions.some((condition) => causesFailure(context, condition))) return undefined;
  const [beyond] = questionsBelow(contract, `${operation.pointer}/x-collection/page/beyond`);
  if (resource === undefined && beyond !== undefined) {
    const why = `the contract does not specify the response to a page past the end (${beyond.question})`;
    return { ...withoutCause(context, why, 'do not rely on it'), question: beyond };
  }
  const [field] = resource?.by.values() ?? [];
  const noun = nounsOf(resource?.name ?? collection?.name ?? 'thing').singular;
  const advice = field === undefined ? `add the state "no ${noun} exists"` : `add a state such as "no ${noun} has this ${field.slice(1)}"`;
  return withoutCause(context, 'no state says that it does not exist', advice);
}

function explainUnavailable(context: CheckContext, kind: 'throttled' | 'unavailable', state: string): CauseProblem {
  if (context.conditions.some((condition) => condition.kind === kind)) return undefined;
  return withoutCause(context, 'no state causes it', `add the state "${state}"`);
}

function withoutCause({ operation, interaction }: CheckContext, why: string, advice: string): Omit<FindingDraft, 'id'> {
  const message: FindingMessage = [`the pact expects ${interaction.response.status} from ${operation.id}, but ${why}`, advice];
  return { grade: 'not-guaranteed', message, clause: operation.place };
}

/** True if the condition makes the operation fail. */
function causesFailure({ operation, reading }: CheckContext, condition: StateCondition): boolean {
  if (condition.kind === 'key') return operation.security.length > 0;
  if (condition.kind === 'no-scope')
    return operation.security.length > 0 && operation.security.every((all) => all.some(({ scopes }) => scopes.includes(condition.scope)));
  if (condition.kind === 'throttled' || condition.kind === 'unavailable') return true;
  const { resource } = operation;
  if (condition.kind === 'no-resource') return resource?.name === condition.resource && resource.by.size === 0;
  if (condition.kind !== 'no-record' || resource?.name !== condition.collection) return false;
  const [parameter] = [...resource.by].find(([, field]) => field === condition.field) ?? [];
  return (
    parameter !== undefined &&
    reading.sent.has(parameter) &&
    (condition.value === undefined || String(condition.value) === String(reading.values.get(parameter)))
  );
}

/** Statuses with a cause that a contract can state, or that answer conditions and ranges. */
const caused: readonly number[] = [206, 304, 401, 403, 429, 503];

/** Notes that the contract documents other statuses for the request, and does not say when. An unknown state may decide. */
export function checkOtherStatuses(context: CheckContext): readonly PactRemark[] {
  const { interaction, operation, allStatesKnown } = context;
  const { status, matching } = interaction.response;
  const hasCause = status === statusOf(operation, 'invalid') || causesByStatus[status] !== undefined || !allStatesKnown;
  if (hasCause || status === 304) return [];
  // Failures have causes that a valid request rules out, if it can have mistakes, and if the pact does not expect a class of statuses.
  const isRuledOut = (other: number): boolean => other >= 500 || takesSomething(operation);
  const isLikely = (other: number): boolean => other < 400 || status >= 400 || matching.status !== undefined || !isRuledOut(other);
  const others = otherStatuses(context).filter((each) => !caused.includes(Number(each)) && isLikely(Number(each)));
  const reason = `the contract also documents ${others.join(', ')}, and does not say when`;
  return others.length === 0 ? [] : [notCompared(context, ['response', 'status'], `the status ${status}`, reason)];
}

function takesSomething({ parameters, requestBody, security }: Operation): boolean {
  return parameters.length > 0 || requestBody !== undefined || security.length > 0;
}

/** The documented statuses that the pact does not accept; `default` names none. */
function otherStatuses({ interaction, operation }: CheckContext): readonly string[] {
  const { status, matching } = interaction.response;
  const { status: rule } = matching;
  const isAccepted = (other: number): boolean => (rule === undefined ? other === status : acceptsStatus(rule, other));
  return [...operation.responses.keys()].filter((each) => /^\d+$/.test(each) && !isAccepted(Number(each)));
}

/** Checks that the expected status is documented. */
export function checkDocumentedStatus(context: CheckContext): readonly PactFinding[] {
  const { interaction, operation } = context;
  const { status, matching } = interaction.response;
  const isAccepted = matching.status === undefined || acceptsStatus(matching.status, status);
  if (isAccepted && responseFor(operation, status) !== undefined) return [];
  const documented = [...operation.responses.keys()].join(', ');
  const expected = isAccepted ? String(status) : 'a status that the pact accepts';
  const message: FindingMessage = [
    `${operation.id} never returns ${expected}: it documents ${documented}`,
    `expect one of these, or add ${status} to the contract`,
  ];
  return [createFinding(context, ['response', 'status'], { id: 'response/status', grade: 'impossible', message, clause: operation.place })];
}
