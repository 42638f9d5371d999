/**
 * Checks that the request of an interaction is valid, and that it causes the expected status together with the provider states. `check-pacts.ts` calls
 * it for each interaction with a documented operation. It sends nothing.
 */

import type { Question } from '../../../core/annotations/profile.ts';
import { nearest } from '../../../core/errors.ts';
import { type HttpRequest, headerOf, splitTarget } from '../../../core/http/exchange.ts';
import { isObject, type Json } from '../../../core/json.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { follow } from '../../../core/openapi/document.ts';
import { type Credential, type Operation, statusOf } from '../../../core/openapi/operation.ts';
import type { PactFinding } from '../../../core/results/pact-check-result.ts';
import type { StateCondition } from '../../../core/pact/state-condition.ts';
import { expressionNames, isQueryGenerated, listRequestGenerators, stateValueNames } from '../../../core/pact/state-generators.ts';
import { splitQuery } from '../../../core/parameters/parameter-style.ts';
import type { RequestProblem } from '../../../core/parameters/read-request.ts';
import { questionsBelow } from '../../verify/engine/clauses.ts';
import { type CheckContext, createFinding, type FindingDraft } from './check-context.ts';

/** Checks that the expected status follows from the request and the states. */
export function checkCause(context: CheckContext): readonly PactFinding[] {
  const { status } = context.interaction.response;
  if (status < 400)
    return [...checkRequest(context), ...checkContradictions(context), ...(status === 304 ? checkConditional(context) : [])];
  const refusal = status === statusOf(context.operation, 'invalid');
  const found = refusal ? checkRefusal(context) : explainMissingCause(context);
  return found === undefined ? [] : [createFinding(context, ['response', 'status'], { ...found, id: 'response/reason' })];
}

/** Reports a state that makes the operation fail, although the pact expects a success. */
function checkContradictions(context: CheckContext): readonly PactFinding[] {
  const { conditions, operation, interaction } = context;
  const failing = conditions.find((condition) => causesFailure(context, condition));
  if (failing === undefined) return [];
  const name = interaction.states[conditions.indexOf(failing)]?.name ?? '';
  const message = `the pact expects ${interaction.response.status} of ${operation.id}, but the state "${name}" makes it fail; expect that failure, or remove the state`;
  return [createFinding(context, ['response', 'status'], { id: 'response/reason', grade: 'impossible', message, clause: operation.place })];
}

/** Checks that a request with an expected 304 is conditional. */
function checkConditional(context: CheckContext): readonly PactFinding[] {
  if (['if-none-match', 'if-modified-since'].some((name) => headerOf(context.sent.headers, name) !== undefined)) return [];
  const message = `the pact expects 304, but the request is not conditional; send If-None-Match with the ETag of an earlier answer`;
  return [createFinding(context, ['request'], { id: 'response/reason', grade: 'impossible', message, clause: context.operation.place })];
}

/** Checks that a request with an expected refusal has a problem for which the contract refuses it. */
function checkRefusal(context: CheckContext): Omit<FindingDraft, 'id'> | undefined {
  const { reading, operation, contract, allStatesKnown, interaction } = context;
  const { status } = interaction.response;
  const stated = reading.problems.filter((problem) => invalidQuestion(contract, operation, problem) === undefined);
  if (stated.some(({ answer }) => answer === 'refused') || mayHaveDamagedCursor(context) || !allStatesKnown) return undefined;
  const [firstProblem] = reading.problems;
  const question = firstProblem === undefined ? undefined : invalidQuestion(contract, operation, firstProblem);
  if (firstProblem !== undefined) {
    const plain = firstProblem.message.replace(/\.$/, '');
    const why =
      question === undefined
        ? `the contract says that it is ${firstProblem.answer}`
        : `the contract does not specify whether it is refused (${question.question})`;
    return {
      grade: question === undefined ? 'impossible' : 'not-guaranteed',
      message: `the pact expects ${status}, but the only problem of the request is: ${plain}; ${why}; send a request that the contract refuses`,
      clause: operation.place,
      question,
    };
  }
  const message = `the pact expects ${status}, but the request is valid; send one that ${operation.id} refuses, or expect a success`;
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
    const why = `the contract does not specify the answer to a page past the end (${beyond.question})`;
    return { ...withoutCause(context, why, 'do not rely on it'), question: beyond };
  }
  const [field] = resource?.by.values() ?? [];
  const noun = resource?.name ?? collection?.name ?? 'thing';
  const advice = field === undefined ? `add the state "no ${noun} exists"` : `add a state such as "no ${noun} has this ${field.slice(1)}"`;
  return withoutCause(context, 'no state says that it does not exist', advice);
}

function explainUnavailable(context: CheckContext, kind: 'throttled' | 'unavailable', state: string): CauseProblem {
  if (context.conditions.some((condition) => condition.kind === kind)) return undefined;
  return withoutCause(context, 'no state causes it', `add the state "${state}"`);
}

function withoutCause({ operation, interaction }: CheckContext, why: string, advice: string): Omit<FindingDraft, 'id'> {
  const message = `the pact expects ${interaction.response.status} of ${operation.id}, but ${why}; ${advice}`;
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

/** Checks the parameters and the key of a request that expects a success or a 304. */
function checkRequest(context: CheckContext): readonly PactFinding[] {
  return [...context.reading.problems.map((problem) => explainParameter(context, problem)), ...checkKey(context)];
}

/** Explains a problem of a parameter in a request that expects a success. */
function explainParameter(context: CheckContext, problem: RequestProblem): PactFinding {
  const { operation, interaction } = context;
  const [name = ''] = problem.parameters;
  const question = invalidQuestion(context.contract, operation, problem);
  const isRefused = problem.answer === 'refused' && question === undefined;
  const meant = problem.class === 'undeclared' ? nearest(name, parameterNames(operation)) : undefined;
  const advice = meant === undefined ? 'correct the request' : `did you mean ${meant}?`;
  const parameter = operation.parameters.find((each) => each.name === name && each.in === problem.in);
  const plain = problem.message.replace(/\.$/, '');
  const expects = `${operation.id} ${isRefused ? 'refuses it' : 'may refuse or ignore it'}, but the pact expects ${interaction.response.status}`;
  return createFinding(context, parameterKeys(context, problem.in, name), {
    id: 'request/parameter',
    grade: isRefused ? 'impossible' : 'not-guaranteed',
    message: `${plain}: ${expects}; ${advice}`,
    clause: parameter?.place ?? operation.place,
    question,
  });
}

function parameterNames({ parameters }: Operation): readonly string[] {
  return parameters.map(({ name }) => name);
}

/** Returns the keys of a parameter below its interaction; for a missing parameter, those of the request. */
function parameterKeys({ interaction }: CheckContext, place: RequestProblem['in'], name: string): readonly string[] {
  const { request } = interaction;
  if (place === 'path') return ['request', 'path'];
  if (place === 'query') return request.query.has(name) ? ['request', 'query', name] : ['request'];
  return ['request', 'headers', name];
}

function checkKey(context: CheckContext): readonly PactFinding[] {
  const { operation, conditions, allStatesKnown, interaction } = context;
  const isSettled = !allStatesKnown || conditions.some((condition) => condition.kind === 'key');
  if (operation.security.length === 0 || isSettled || carriesKey(context)) return [];
  const ways = operation.security.map((all) => all.map(describeCarrier).join(' and ')).join(', or ');
  const message = `the request has no key, but the pact expects ${interaction.response.status}: ${operation.id} answers 401 without a key; send ${ways}`;
  return [createFinding(context, ['request'], { id: 'request/key', grade: 'impossible', message, clause: operation.place })];
}

/** True if the request has every credential of one security requirement, whatever the values are. */
function carriesKey({ operation, sent }: CheckContext): boolean {
  return operation.security.some((all) => all.every((credential) => isSent(credential, sent)));
}

function isSent({ carrier }: Credential, request: HttpRequest): boolean {
  if (carrier.in === 'authorization') {
    const [word = '', ...rest] = (headerOf(request.headers, 'authorization') ?? '').split(' ');
    return word.toLowerCase() === carrier.word.toLowerCase() && rest.join('') !== '';
  }
  if (carrier.in === 'header') return (headerOf(request.headers, carrier.name) ?? '') !== '';
  if (carrier.in === 'query') return splitQuery(splitTarget(request.target).query).some(([name]) => name === carrier.name);
  return (headerOf(request.headers, 'cookie') ?? '').split(/;\s*/).some((each) => each.startsWith(`${carrier.name}=`));
}

function describeCarrier({ carrier }: Credential): string {
  return carrier.in === 'authorization' ? `Authorization: ${carrier.word} KEY` : `the ${carrier.in} ${carrier.name}`;
}

/** Checks that provider states give every value that a generator uses; otherwise Pact silently sends the example. */
export function checkGenerators(context: CheckContext): readonly PactFinding[] {
  const { contract, conditions, allStatesKnown, interaction } = context;
  const generators = listRequestGenerators(interaction.request.generators);
  if (!allStatesKnown || generators.length === 0) return [];
  const valueNames = conditions.map((condition) => stateValueNames(contract, condition));
  if (valueNames.includes(undefined)) return [];
  const names = new Set(valueNames.flatMap((each) => [...(each ?? [])]));
  return generators.flatMap(({ keys, expression }) => {
    const missing = expressionNames(expression).filter((name) => !names.has(name));
    if (missing.length === 0) return [];
    const meant = nearest(missing[0] ?? '', names);
    const states = interaction.states.map(({ name }) => `"${name}"`).join(' and ') || 'no provider state';
    const advice = meant === undefined ? 'add a state that gives it, such as "a thing exists"' : `did you mean \${${meant}}?`;
    const message = `${states} gives ${interaction.states.length === 0 ? 'a' : 'no'} value for ${missing.join(' and ')} in ${expression}, so Pact would send the example; ${advice}`;
    return [
      createFinding(context, ['request', 'generators', ...keys], {
        id: 'request/generator',
        grade: 'not-guaranteed',
        message,
      }),
    ];
  });
}

/** Returns the unspecified point about the response to a problem; `undefined` if the contract states the response. */
function invalidQuestion(contract: Contract, operation: Operation, problem: RequestProblem): Question | undefined {
  const parameters = operation.value['parameters'];
  const written = (Array.isArray(parameters) ? (parameters as readonly Json[]) : []).map((each) => follow(operation.document, each));
  const own = written.filter(isObject).find((each) => problem.parameters.includes(String(each['name'])));
  if (isObject(own?.['x-invalid']) && own['x-invalid'][problem.class] !== undefined) return undefined;
  const asked = isObject(own?.['schema']) ? own['schema']['x-unspecified'] : undefined;
  if (typeof asked === 'string' && problem.class === 'out-of-range') return contract.questions.get(asked);
  return questionsBelow(contract, `/x-invalid/${problem.class}`)[0];
}
